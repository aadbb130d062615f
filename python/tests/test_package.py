# SPDX-License-Identifier: Apache-2.0
"""The package as it is installed: exceptions, the program, types, examples of the documents."""

import ast
import doctest
import os
import pathlib
import re
import signal
import subprocess
import sys
import sysconfig
import time

import pytest

import tropic

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.join(sysconfig.get_path("scripts"), "tropic")
WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


@pytest.mark.parametrize(("name", "bases"), [
    ("UsageError", (tropic.Error, ValueError)),
    ("ExpressionError", (tropic.UsageError,)),
    ("InputError", (tropic.Error, ValueError)),
    ("NegativeCycle", (tropic.Error, ValueError)),
    ("NoConvergence", (tropic.Error, ValueError)),
    ("OutOfMemory", (tropic.Error, MemoryError)),
    ("DeviceError", (tropic.Error, RuntimeError)),
    ("Cancelled", (tropic.Error,)),
    ("Error", (Exception,)),
])
def test_exceptions_have_their_bases_and_a_text(name, bases):
    kind = getattr(tropic, name)
    assert kind.__bases__ == bases and kind.__doc__ and kind.__module__ == "tropic"


def test_errors_of_memory_and_devices():
    where = tropic.Context("cpu", memory_limit=100_000)
    with pytest.raises(tropic.OutOfMemory, match="bytes"):
        tropic.Vector.full(1_000_000, 1.0, context=where).apply("negate")
    with pytest.raises(tropic.DeviceError):
        tropic.Context("cuda:99")
    with pytest.raises(tropic.UsageError, match="device 'tpu'"):
        tropic.Context("tpu")
    with pytest.raises(tropic.UsageError, match="threads"):
        tropic.Context("cpu", threads=-1)
    with pytest.raises(tropic.UsageError, match="queue"):
        tropic.Context("cpu", queue=1)
    with pytest.raises(TypeError, match="needed a tropic.Context"):
        tropic.Vector(3, context="cpu")


def test_notices_reach_the_log():
    notices = []
    where = tropic.Context("auto", log=notices.append)
    assert notices and where.name in notices[0]


def run_program(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, **options)


def test_the_program_is_inside():
    version = run_program("--version")
    assert (version.returncode, version.stdout, version.stderr) == (0, f"tropic {tropic.__version__}\n", "")
    helped = run_program("--help")
    assert helped.returncode == 0 and "Exit codes:" in helped.stdout and helped.stderr == ""
    assert "reference" in run_program("devices", check=True).stdout


@pytest.mark.parametrize(("words", "message"), [
    (("nosuch",), "tropic: found the unknown command 'nosuch', expected one of"),
    (("info", "missing.mtx"), "tropic: missing.mtx:"),
    (("bfs", "kron:4", "--device", "cuda:77"), "tropic: "),
])
def test_the_program_reports_errors_in_one_line(words, message, tmp_path):
    wrong = run_program(*words, cwd=tmp_path)
    assert wrong.returncode == 2 and wrong.stdout == ""
    assert wrong.stderr.startswith(message) and wrong.stderr.count("\n") == 1


def test_names_of_files_need_not_be_text(tmp_path):
    name = os.path.join(os.fsencode(tmp_path), b"\xff.el")
    subprocess.run([PROGRAM, "generate", "grid", "3", name], check=True)
    assert os.path.exists(name)


def test_a_pipe_may_be_closed_early():
    command = f"'{PROGRAM}' generate grid 300 - --to el --quiet | head -n 1; echo ${{PIPESTATUS[0]}}"
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (shown.stdout, shown.stderr) == ("0 1\n0\n", "")


def catches(process, number):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"SigCgt:\s*([0-9a-f]+)", status)[1], 16) >> (number - 1) & 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program(number):
    process = subprocess.Popen([PROGRAM, "pagerank", "kron:12", "--iterations", "100000000", "--quiet"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(1000):  # Python itself does not catch SIGTERM
        if catches(process, signal.SIGTERM):
            break
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(number)
    out, messages = process.communicate(timeout=60)
    assert process.returncode == -number and out == ""  # 128 + number in a shell
    assert messages.startswith(("tropic: interrupted\n", "tropic: ended by signal")) and messages.count("\n") == 1


def test_the_program_does_not_import_the_package():
    script = ("import sys, tropic_program; sys.argv[1:] = ['--version']; status = tropic_program.main(); "
              "sys.exit(status or bool({'numpy', 'tropic'} & sys.modules.keys()))")
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


@pytest.mark.parametrize(("given", "spins"), [({}, 0), ({"OMP_WAIT_POLICY": "passive"}, 0), ({"GOMP_SPINCOUNT": "7"}, 7)])
def test_threads_of_the_program_wait_passively(given, spins):
    environment = {name: value for name, value in os.environ.items() if name not in WAITING}
    shown = run_program("--version", env=environment | given | {"OMP_DISPLAY_ENV": "verbose"}).stderr
    assert len(re.findall(r"OMP_WAIT_POLICY *= *'PASSIVE'", shown)) == 1  # loaded once
    # Only GCC's library shows it, which calls the policy passive even where its threads spin.
    assert re.findall(r"GOMP_SPINCOUNT = '(\d+)'", shown) in ([str(spins)], [])


def test_the_package_is_typed():
    folder = pathlib.Path(tropic.__file__).parent
    assert (folder / "py.typed").is_file()
    stub = (folder / "_core.pyi").read_text()
    for name in ("class Matrix", "class Vector", "def multiply", "def pagerank"):
        assert name in stub


def test_everything_public_is_documented():
    for name in tropic.__all__:
        assert getattr(tropic, name).__doc__, name
    for kind in (tropic.Matrix, tropic.Vector, tropic.Context, tropic.Transposed, tropic.Mask):
        for owner in kind.__mro__:
            for name, member in vars(owner).items():
                if not name.startswith("_") and (callable(member) or isinstance(member, (property, classmethod))):
                    assert member.__doc__, f"{owner.__name__}.{name}"


def blocks(document):
    """The blocks of Python in a document."""
    found, inside = [], None
    for line in document.read_text().splitlines():
        if inside is None and line == "```python":
            inside = []
        elif inside is not None and line == "```":
            found.append("\n".join(inside))
            inside = None
        elif inside is not None:
            inside.append(line)
    return found


@pytest.mark.filterwarnings("ignore:Sparse")
@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "docs/python-scipy.md", "docs/python-networkx.md",
                                  "docs/python-pytorch.md"])
def test_examples_of_the_documents_run(name, tmp_path, monkeypatch):
    document = ROOT / name
    monkeypatch.chdir(tmp_path)
    examples = blocks(document)
    assert examples
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    names = {}
    for number, text in enumerate(examples):
        if "cuda" in text:
            continue  # needs a GPU
        if "torch" in text:
            pytest.importorskip("torch", reason="PyTorch is not installed")
        test = parser.get_doctest(text, names, f"{name} example {number + 1}", name, 0)
        assert test.examples, f"{name}: example {number + 1} shows no session"
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0


@pytest.mark.parametrize(("suite", "heading"), [("scipy_csgraph", "## SciPy"), ("networkx_backend", "## NetworkX")])
def test_the_page_lists_the_tests_that_fail(suite, heading):
    source = (pathlib.Path(__file__).parent / "suites" / f"{suite}.py").read_text()
    tree = next(node for node in ast.parse(source).body
                if isinstance(node, ast.Assign) and node.targets[0].id == "EXPECTED")
    expected = ast.literal_eval(tree.value)
    page = (ROOT / "docs" / "python-suites.md").read_text().partition(heading + "\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]*)` \| (.*) \|$", page, re.MULTILINE)
    assert dict(rows) == expected and len(rows) == len(expected) > 0


def test_docstrings_show_what_is_printed():
    assert doctest.testmod(tropic).failed == 0
