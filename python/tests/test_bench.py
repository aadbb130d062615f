# SPDX-License-Identifier: Apache-2.0
"""bench/python.py on a small graph: every package that is installed agrees, the others are named."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench" / "python.py"


def bench(*arguments):
    return subprocess.run([sys.executable, BENCH, *arguments], capture_output=True, text=True)


def test_it_compares_the_packages():
    done = bench("grid:12", "--rounds", "1", "--sources", "2")
    # Status 1: a product or the import takes longer than allowed, on a busy machine.
    assert done.returncode in (0, 1), done.stderr
    assert "grid:12: 144 vertices, 264 edges, in ms" in done.stdout
    assert "grid:12: first calls, with the conversion, in ms" in done.stdout
    for package, *modules in (("igraph", "igraph"), ("python-graphblas", "graphblas", "graphblas_algorithms")):
        absent = [module for module in modules if importlib.util.find_spec(module) is None]
        said = f"\n{package}: skipped, {absent[0]} is not installed\n" if absent else f"\n{package}: skipped"
        assert (said in done.stdout) == bool(absent), done.stdout
    for task in ("pagerank", "bfs", "paths", "components", "triangles", "betweenness"):
        assert done.stdout.count(f"\n{task}") == 2 - (task == "betweenness")
    assert "mxv of 1,000 entries: " in done.stdout and "import beyond NumPy's: " in done.stdout


@pytest.mark.parametrize("arguments, message", [
    (["nothing:3"], "bench: found nothing:3, expected kron:N, urand:N, grid:N or a file"),
    (["--rounds", "0"], "found 0, expected 1 or more"),
])
def test_it_refuses_what_it_does_not_know(arguments, message):
    done = bench(*arguments)
    assert done.returncode in (1, 2) and message in done.stderr
