#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Algorithms of the Python package on the CPU beside those of other packages.

All run in one process, in turns, on the same graph with the edges in both directions; the table has
medians of the rounds and, in parentheses, the time divided by Tropic's: above 1, Tropic is faster.
Each package has its own graph before the clock starts, and one call that is not timed; if that call
takes longer than --patience, its time is the result ("once"). Results must agree. With --cpu-time a
second table has the processor time of all threads, which other load on the machine changes less.

  backend           Tropic called by NetworkX, with the conversion kept with the graph
  NetworkX          its own functions, some of which use SciPy
  SciPy             scipy.sparse.csgraph
  python-graphblas  the functions of graphblas-algorithms
  igraph            python-igraph

  pagerank          until the sum of changes is 1e-6; igraph solves a linear system more exactly
  bfs, paths        levels and distances (fp64) from the same vertices, the sum of the times; Tropic
                    also has the parents of bfs, as SciPy has
  components        the label of every vertex
  triangles         their number
  betweenness       from the same vertices
  cores             the core number of every vertex

Last table of a graph: the first call of the backend, including the conversion of the graph, beside
NetworkX's own function; bfs and paths from one vertex. At the end: the cost of a product of a matrix
with 1,000 entries, and the time of the import beyond NumPy's, each beside what is allowed.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tropic
from command_line import Failure, positive, run_benchmark
from python_packages import Backend, GraphBLAS, Igraph, NetworkX, SciPy, Tropic

ALLOWED_US, ALLOWED_MS = 5, 60  # of a small product, of an import
BETWEEN = 0.05  # seconds before each measurement, so that idle threads of the last one sleep
TASKS = ("pagerank", "bfs", "paths", "components", "triangles", "betweenness", "cores")


class Case:
    """A graph without loops, with every edge in both directions, and vertices to search from."""

    def __init__(self, name, sources):
        self.name = Path(name).name
        kind, _, size = name.partition(":")
        weights = np.random.default_rng(1)
        if size:
            generate = {"kron": tropic.kron, "urand": tropic.urand, "grid": tropic.grid}.get(kind)
            if generate is None:
                raise Failure(f"found {name}, expected kron:N, urand:N, grid:N or a file")
            given = generate(int(size), dtype="float64")
        else:
            try:
                given = tropic.read(name, duplicates="first")
            except tropic.Error as error:
                raise Failure(error) from error
        i, j, values = given.to_coo()
        i, j = i.astype(np.int64), j.astype(np.int64)
        if (values == values[0]).all():  # a pattern
            values = weights.integers(1, 256, len(values))
        count = given.shape[0]
        low, high = np.minimum(i, j)[i != j], np.maximum(i, j)[i != j]
        keys, first = np.unique(low * count + high, return_index=True)
        self.low, self.high = keys // count, keys % count
        self.weights = np.asarray(values, dtype=np.float64)[i != j][first]
        self.count, self.edges = count, len(keys)
        i, j = np.concatenate([self.low, self.high]), np.concatenate([self.high, self.low])
        order = np.lexsort((j, i))
        offsets = np.zeros(count + 1, dtype=np.int32)
        np.cumsum(np.bincount(i, minlength=count), out=offsets[1:])
        #: offsets, columns and weights of CSR
        self.csr = offsets, j[order].astype(np.int32), np.tile(self.weights, 2)[order]
        self.matrix = tropic.Matrix.from_csr(*self.csr, (count, count))
        self.matrix.assume_symmetric()
        labels = tropic.connected_components(self.matrix).label.to_numpy()
        inside = np.flatnonzero(labels == np.bincount(labels).argmax())
        self.sources = weights.choice(inside, min(sources, len(inside)), replace=False).tolist()

    def listed_edges(self):
        return list(zip(self.low.tolist(), self.high.tolist()))


# --- comparison

def check_agrees(case, task, name, ours, theirs):
    """Raises Failure unless the results of a task are equal, those of fractions nearly."""
    if task == "pagerank":
        right = np.abs(ours - theirs).sum() < 1e-4
    elif task == "betweenness":  # by the share of a vertex: packages scale it differently
        right = np.allclose(ours / ours.sum(), theirs / theirs.sum(), rtol=1e-6, atol=1e-12)
    elif task == "components":  # the same partition
        count = len(np.unique(ours))
        pairs = np.unique(np.stack([ours, theirs]), axis=1).shape[1]
        right = pairs == count == len(np.unique(theirs))
    else:
        right = np.array_equal(ours, theirs)
    if not right:
        raise Failure(f"{case.name}: {task} of {name} differs from Tropic's")


def timed(function, *arguments):
    """Seconds by the clock, those of processors in all threads, and the result."""
    time.sleep(BETWEEN)
    start, processors = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return (time.perf_counter() - start, time.process_time() - processors), result


def engines_for(case, left_out):
    """The packages with their graphs, and for each that is not there the reason."""
    engines, missing = [Tropic(case)], {}
    for kind in (Backend, NetworkX, SciPy, GraphBLAS, Igraph):
        if kind.name.lower() in left_out:
            missing[kind.name] = "left out"
            continue
        print(f"{case.name}: the graph of {kind.name} ...", file=sys.stderr)
        try:
            engines.append(kind(case))
        except ImportError as error:
            missing[kind.name] = f"not installed ({error})" if error.name is None else (
                f"{error.name} is not installed")
    return engines, missing


def medians(taken):
    return tuple(map(statistics.median, zip(*taken)))


def measure(case, engines, tasks, rounds, patience):
    """Median seconds, by the clock and of processors, by task and package; which are of one call."""
    seconds, once = {}, set()
    for task in tasks:
        ours = None
        for engine in engines:
            if task not in engine.tasks:
                continue
            print(f"{case.name}: {task} of {engine.name}", file=sys.stderr)
            taken, result = timed(engine.tasks[task], case.sources)
            result = engine.results[task](result)
            if ours is None:
                ours = result
            check_agrees(case, task, engine.name, ours, result)
            if taken[0] > patience:
                once.add((task, engine.name))
            seconds[task, engine.name] = [taken] if taken[0] > patience else []
    for n in range(rounds):
        print(f"{case.name}: round {n + 1} of {rounds}", file=sys.stderr)
        for task in tasks:
            first = n % len(engines)  # none is always the first one
            for engine in engines[first:] + engines[:first]:
                if task in engine.tasks and (task, engine.name) not in once:
                    seconds[task, engine.name].append(timed(engine.tasks[task], case.sources)[0])
    return {key: medians(values) for key, values in seconds.items()}, once


def in_ms(seconds):
    return f"{seconds * 1e3:,.{max(0, 3 - len(str(int(seconds * 1e3))))}f}"


def print_table(case, engines, tasks, seconds, once, of_processors=False):
    unit = "ms of processors" if of_processors else "ms"
    seconds = {key: both[of_processors] for key, both in seconds.items()}
    print(f"\n{case.name}: {case.count:,} vertices, {case.edges:,} edges, in {unit}")
    print(f"{'':12}" + "".join(f"{engine.name:>24}" for engine in engines))
    behind = []
    for task in tasks:
        line = f"{task:12}"
        for engine in engines:
            if task not in engine.tasks:
                line += f"{'no function':>24}"
                continue
            text = in_ms(seconds[task, engine.name])
            if engine.name != "Tropic":
                ratio = seconds[task, engine.name] / seconds[task, "Tropic"]
                text += f" ({ratio:.2f})" + (" once" if (task, engine.name) in once else "")
                if ratio < 1 and engine.name != "backend":
                    behind.append(f"{task} of {engine.name}")
            line += f"{text:>24}"
        print(line)
    print(f"Tropic is behind: {', '.join(behind) or 'nowhere'}", flush=True)


def print_first_calls(case, engines, tasks, rounds, patience):
    """The backend with a conversion in every call, beside NetworkX's own functions."""
    by_name = {engine.name: engine for engine in engines}
    if "backend" not in by_name or "NetworkX" not in by_name:
        return
    backend, reference, source = by_name["backend"], by_name["NetworkX"], case.sources[:1]
    print(f"\n{case.name}: first calls, with the conversion, in ms")
    print(f"{'':12}{'backend':>24}{'NetworkX':>24}")
    for task in tasks:
        if task not in backend.tasks:
            continue
        first, theirs = [], []
        for n in range(rounds):
            print(f"{case.name}: {task}, first call {n + 1} of {rounds}", file=sys.stderr)
            case.networkx.__networkx_cache__.clear()
            first.append(timed(backend.tasks[task], source)[0][0])
            if not theirs or theirs[0] <= patience:
                theirs.append(timed(reference.tasks[task], source)[0][0])
        ours, others = statistics.median(first), statistics.median(theirs)
        once = " once" if rounds > 1 and len(theirs) == 1 else ""
        print(f"{task:12}{in_ms(ours):>24}{f'{in_ms(others)} ({others / ours:.2f}){once}':>24}", flush=True)


# --- costs of the package

def microseconds_of_a_small_product(rounds):
    """A call of mxv with a matrix of 300 x 300 and 1,000 entries: the whole, and without the
    library's part."""
    keys = np.random.default_rng(1).permutation(300 * 300)[:1000]
    a = tropic.Matrix.from_entries(keys // 300, keys % 300, np.ones(1000), (300, 300))
    u = tropic.Vector.full(300, 1.0)

    def of_a_call(calls=2000):
        start = time.perf_counter()
        for _ in range(calls):
            a.mxv(u, "min_plus")
        return (time.perf_counter() - start) / calls * 1e6

    of_a_call()
    whole = statistics.median(of_a_call() for _ in range(rounds))
    core = tropic._products._core
    multiply = core.multiply
    try:
        core.multiply = lambda *arguments: None
        python = statistics.median(of_a_call() for _ in range(rounds))
    finally:
        core.multiply = multiply
    return whole, python


def milliseconds_of_an_import(rounds):
    """Of `import tropic` after `import numpy`, in new processes."""
    program = ("import time, numpy\nstart = time.perf_counter()\nimport tropic\n"
               "print(time.perf_counter() - start)")
    with tempfile.TemporaryDirectory() as folder:
        return statistics.median(
            float(subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True,
                                 text=True, check=True).stdout) * 1e3
            for _ in range(rounds + 1))


def print_costs(rounds):
    """Whether they are allowed."""
    whole, python = microseconds_of_a_small_product(rounds)
    imported = milliseconds_of_an_import(rounds)
    print(f"\nmxv of 1,000 entries: {whole:.2f} us, of them in Python {python:.2f} us "
          f"(allowed: under {ALLOWED_US})")
    print(f"import beyond NumPy's: {imported:.1f} ms (allowed: under {ALLOWED_MS})", flush=True)
    return python < ALLOWED_US and imported < ALLOWED_MS


def default_graphs():
    root = Path(__file__).resolve().parent.parent
    graphs = ["kron:16", str(root / "data" / "USA-road-d.NY.mtx.xz")]
    social = root.parent / "shared" / "data" / "graphs" / "soc-Slashdot0902.mtx.xz"
    return graphs + [str(path) for path in (social, ) if path.exists()]


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/bench python", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", metavar="GRAPH", nargs="*",
                        help="kron:SCALE, urand:SCALE, grid:SIDE or a file [kron:16, the roads of New "
                        "York, and soc-Slashdot0902 if ../shared/data has it]")
    parser.add_argument("--rounds", type=positive, default=5, help="measurements of each [5]")
    parser.add_argument("--sources", type=positive, default=4,
                        help="vertices that bfs, paths and betweenness start from [4]")
    parser.add_argument("--patience", type=float, default=5, metavar="SECONDS",
                        help="a call that takes longer is not repeated [5]")
    parser.add_argument("--without", metavar="PACKAGE,...", default="",
                        help="packages to leave out: backend, networkx, scipy, python-graphblas, igraph")
    parser.add_argument("--only", metavar="TASK,...", default=",".join(TASKS),
                        help=f"of the tasks {', '.join(TASKS)}")
    parser.add_argument("--cpu-time", action="store_true",
                        help="also a table of the processor time of all threads")
    options = parser.parse_args()
    tasks = options.only.split(",")
    if unknown := [task for task in tasks if task not in TASKS]:
        raise Failure(f"found {unknown[0]}, expected of {', '.join(TASKS)}")
    left_out = set(filter(None, options.without.lower().split(",")))
    for name in options.graphs or default_graphs():
        case = Case(name, options.sources)
        engines, missing = engines_for(case, left_out)
        seconds, once = measure(case, engines, tasks, options.rounds, options.patience)
        print_table(case, engines, tasks, seconds, once)
        if options.cpu_time:
            print_table(case, engines, tasks, seconds, once, of_processors=True)
        for package, reason in missing.items():
            print(f"{package}: skipped, {reason}")
        print_first_calls(case, engines, tasks, options.rounds, options.patience)
    if not print_costs(options.rounds):
        sys.exit(1)


if __name__ == "__main__":
    run_benchmark(main)
