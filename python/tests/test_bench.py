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
    for task in ("pagerank", "bfs", "paths", "components", "triangles", "betweenness", "cores"):
        assert done.stdout.count(f"\n{task}") == 2 - (task == "betweenness")
    assert "mxv of 1,000 entries: " in done.stdout and "import beyond NumPy's: " in done.stdout


def test_it_measures_one_task_by_the_clock_and_by_processors():
    done = bench("grid:12", "--rounds", "1", "--only", "cores", "--cpu-time", "--without", "networkx,backend")
    assert done.returncode in (0, 1), done.stderr
    assert "264 edges, in ms\n" in done.stdout and "264 edges, in ms of processors\n" in done.stdout
    assert done.stdout.count("\ncores") == 2 and "\npagerank" not in done.stdout


@pytest.mark.parametrize("arguments, message", [
    (["nothing:3"], "bench: found nothing:3, expected kron:N, urand:N, grid:N or a file"),
    (["--rounds", "0"], "found 0, expected 1 or more"),
    (["--only", "tea"], "bench: found tea, expected of pagerank, bfs"),
    (["no_such_file"], "bench: no_such_file: found no such file"),
])
def test_it_refuses_what_it_does_not_know(arguments, message):
    done = bench(*arguments)
    assert done.returncode in (1, 2) and message in done.stderr


def communities(*arguments):
    return subprocess.run([sys.executable, BENCH.with_name("communities.py"), *arguments],
                          capture_output=True, text=True)


def test_it_compares_modularities():
    pytest.importorskip("igraph", reason="igraph is not installed")
    done = communities("grid:12", "--runs", "2", "--iterations", "2", "--allowed", "50")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[1:3]] == ["grid:12", "grid:12"]
    for line, method in zip(lines[1:3], ("Louvain", "Leiden, 2")):
        assert method in line
        ours, theirs = map(float, line.removeprefix("grid:12").strip().removeprefix(method).split()[:2])
        assert 0.6 < ours < 0.9 and 0.6 < theirs < 0.9
    assert lines[-1] == "below igraph by more than 50.0 %: nowhere"
    assert communities("grid:12", "--runs", "1", "--allowed", "-1000").returncode == 1
    assert "skipped, 264 edges" in communities("grid:12", "--edges", "100").stdout
