#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Modularities of Louvain and Leiden beside those of igraph, on the same graphs: undirected, without
loops, every edge once, without weights.

igraph draws random numbers: the table has the median of its runs and, in parentheses, the smallest and
the largest. Tropic draws none; its communities must be the same in every run. A line ends with the
difference to igraph's median in percent, and the command fails if one is below --allowed.

  Louvain   igraph's community_multilevel
  Leiden    igraph's community_leiden for the modularity, as many iterations in both
"""

import argparse
import random
import statistics
import sys
from pathlib import Path

import numpy as np

import tropic
from command_line import Failure, positive, run_benchmark
from python import Case

GENERATED = ("grid:60", "kron:12", "urand:12")


def of_tropic(case, runs, find):
    """The modularity, by igraph's function as well; Failure if two runs differ."""
    found = [find() for _ in range(runs)]
    first = found[0].community.to_numpy()
    if any(not np.array_equal(first, other.community.to_numpy()) for other in found):
        raise Failure(f"{case.name}: two runs find different communities")
    theirs = case.igraph.modularity(np.unique(first, return_inverse=True)[1].tolist())
    if abs(theirs - found[0].modularity) > 1e-9:
        raise Failure(f"{case.name}: a modularity of {found[0].modularity}, by igraph {theirs}")
    return found[0].modularity


def of_igraph(runs, find):
    """Smallest, median and largest."""
    found = []
    for seed in range(runs):
        random.seed(seed)  # igraph draws from it
        found.append(find().modularity)
    return min(found), statistics.median(found), max(found)


def compare(case, runs, iterations):
    """(method, Tropic's modularity, igraph's) by method."""
    graph = case.igraph
    yield ("Louvain", of_tropic(case, runs, lambda: tropic.louvain(case.matrix)),
           of_igraph(runs, graph.community_multilevel))
    for count in iterations:
        yield (f"Leiden, {count}",
               of_tropic(case, runs, lambda: tropic.leiden(case.matrix, iterations=count)),
               of_igraph(runs, lambda: graph.community_leiden("modularity", n_iterations=count)))


def default_graphs():
    shared = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "graphs"
    return [*map(str, sorted(shared.glob("*.mtx.xz"))), *GENERATED]


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/bench communities", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", metavar="GRAPH", nargs="*",
                        help="kron:SCALE, urand:SCALE, grid:SIDE or a file [../shared/data/graphs, as far "
                        "as --edges allows, and generated ones]")
    parser.add_argument("--runs", type=positive, default=5, help="runs of each method [5]")
    parser.add_argument("--iterations", type=positive, nargs="+", default=[1, 10], metavar="N",
                        help="iterations of Leiden [1 10]")
    parser.add_argument("--edges", type=positive, default=2_000_000, metavar="N",
                        help="leave out graphs with more edges [2,000,000]")
    parser.add_argument("--allowed", type=float, default=0.5, metavar="PERCENT",
                        help="how far below igraph's median a modularity may be [0.5]")
    options = parser.parse_args()
    try:
        import igraph
    except ImportError as error:
        raise Failure("python-igraph is not installed") from error

    low = []
    print(f"{'':20}{'method':12}{'Tropic':>10}{'igraph':>10}{'(smallest, largest)':>22}{'percent':>10}")
    for name in options.graphs or default_graphs():
        case = Case(name, 1)
        if case.edges > options.edges:
            print(f"{case.name}: skipped, {case.edges:,} edges", flush=True)
            continue
        case.igraph = igraph.Graph(n=case.count, edges=case.listed_edges())
        for method, ours, theirs in compare(case, options.runs, options.iterations):
            least, median, greatest = theirs
            percent = 100 * (ours - median) / abs(median)
            print(f"{case.name.removesuffix('.mtx.xz'):20}{method:12}{ours:10.4f}{median:10.4f}"
                  f"{f'({least:.4f}, {greatest:.4f})':>22}{percent:+10.2f}", flush=True)
            if percent < -options.allowed:
                low.append(f"{case.name} by {method}")
    print(f"below igraph by more than {options.allowed} %: {', '.join(low) or 'nowhere'}")
    if low:
        sys.exit(1)


if __name__ == "__main__":
    run_benchmark(main)
