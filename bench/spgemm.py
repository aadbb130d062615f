#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Squares of sparse matrices on a CUDA device: `tropic spgemm` compared with cuSPARSE, called by CuPy.

Both multiply the same matrix by itself over plus_times, with all values one, and allocate the result
in every product. They run in turns; the first product of either is not timed. The table has
cuSPARSE's time divided by Tropic's: above 1, Tropic is faster. Both results must have the same
number of entries. MB: the most memory that is used at a time, with A and the result; of Tropic on
host and device together, of cuSPARSE what CuPy's pool has on the device.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from command_line import Failure, positive, run, run_benchmark

WIDE_OFFSETS = 8  # a flag of .tropic files


def read_pattern(path, value_type):
    """The pattern of a `.tropic` file (src/io/binary/binary_format.hpp) as a matrix on the device, with
    values of one."""
    import cupy
    import cupyx.scipy.sparse as sparse
    import numpy

    with open(path, "rb") as file:
        header = file.read(136)
    flags = int.from_bytes(header[20:24], sys.byteorder)
    rows, columns, entries, _, offsets_at, columns_at = numpy.frombuffer(header, numpy.int64, 6, 24)
    if flags & WIDE_OFFSETS:
        raise Failure(f"{path}: more than 2^31 entries, cuSPARSE takes fewer")
    offsets = numpy.fromfile(path, numpy.int32, rows + 1, offset=int(offsets_at))
    indices = numpy.fromfile(path, numpy.int32, entries, offset=int(columns_at))
    return sparse.csr_matrix(
        (cupy.ones(int(entries), value_type), cupy.asarray(indices), cupy.asarray(offsets)),
        shape=(int(rows), int(columns)),
    )


def seconds_of_cusparse(a, trials):
    """The times of A A, the entries of the result, and the bytes of CuPy's pool."""
    import cupy

    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    seconds, entries = [], 0
    for _ in range(trials + 1):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        product = a @ a
        cupy.cuda.Device().synchronize()
        seconds.append(time.perf_counter() - start)
        entries = product.nnz
        del product
    return seconds[1:], entries, pool.total_bytes()


def seconds_of_tropic(program, graph, value_type, device, trials):
    """The same by `tropic spgemm`, whose first product compiles."""
    command = [program, "spgemm", graph, "--type", value_type, "--device", device, "--json"]
    report = json.loads(run([*command, "--trials", str(trials + 1)]))
    return report["seconds"]["run"][1:], report["result"]["nnz"], report["memory"]["peak"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tropic", required=True, help="the program `tropic`")
    parser.add_argument("--device", default="cuda:0", help="a CUDA device, the first for CuPy [cuda:0]")
    parser.add_argument("--type", choices=["fp32", "fp64"], default="fp32", help="of the values [fp32]")
    parser.add_argument("--rounds", type=positive, default=3, help="processes of Tropic for each graph [3]")
    parser.add_argument("--trials", type=positive, default=5, help="timed products in each round [5]")
    parser.add_argument("graphs", nargs="+", metavar="GRAPH", help="a file, or kron:15, grid:1000, ...")
    options = parser.parse_args()
    try:
        import cupy
    except ImportError as error:
        raise Failure("needs CuPy, which calls cuSPARSE") from error
    dtype = {"fp32": "float32", "fp64": "float64"}[options.type]
    ratios = []
    print(
        f"{'':24} {'entries':>12} {'Tropic, ms':>11} {'cuSPARSE, ms':>13} {'ratio':>6} {'Tropic, MB':>11} {'cuSPARSE, MB':>13}"
    )
    for graph in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graph.tropic"
            run([options.tropic, "convert", graph, str(file)])
            a = read_pattern(file, dtype)
        ours, theirs, entries, their_entries = [], [], 0, 0
        memory, their_memory, reason = 0, 0, ""
        for _ in range(options.rounds):
            if not reason:
                try:
                    seconds, their_entries, their_memory = seconds_of_cusparse(a, options.trials)
                    theirs += seconds
                except Exception as error:  # CuPy's own classes: out of memory, cuSPARSE's states
                    reason = str(error).split("\n", maxsplit=1)[0]
            cupy.get_default_memory_pool().free_all_blocks()
            seconds, entries, memory = seconds_of_tropic(
                options.tropic, graph, options.type, options.device, options.trials
            )
            ours += seconds
        if not reason and entries != their_entries:
            raise Failure(f"{graph}: {entries} entries, cuSPARSE has {their_entries}")
        mine = statistics.median(ours)
        other, ratio, their_mb = reason, "", ""
        if not reason:
            their_mb = f"{their_memory / 1e6:,.0f}"
            other = f"{statistics.median(theirs) * 1e3:.2f}"
            ratios.append(statistics.median(theirs) / mine)
            ratio = f"{ratios[-1]:.2f}"
        name = Path(graph).name
        print(
            f"{name:24} {entries:>12,} {mine * 1e3:>11.2f} {other:>13} {ratio:>6} {memory / 1e6:>11,.0f} {their_mb:>13}",
            flush=True,
        )
    if ratios:
        print(f"geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    run_benchmark(main)
