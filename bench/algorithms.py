#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Algorithms of Tropic on the CPU compared with those of the GAP benchmark suite and of LAGraph.

The programs read the same graph and run in turns, from the same sources. In the first round, Tropic
verifies its results, and GAPBS those of bfs, sssp, components, betweenness and triangles, unless
--no-verify is given (GAPBS takes minutes for the triangles of a large graph); numbers of triangles
and of components must be equal in all rounds. The table has the time of the other
program divided by Tropic's: above 1, Tropic is faster.

  bfs          GAPBS bfs, LAGraph bfs_demo (parents alone; Tropic's are levels and parents)
  sssp         GAPBS sssp, LAGraph sssp_demo, with the width of a bucket (-d) of several that is the
               fastest for GAPBS, or for LAGraph alone; Tropic chooses its own. Their distances are
               int32; Tropic's are int64 unless asked for int32
  pagerank     GAPBS pr_spmv (iterates over a copy, as Tropic does) and pr (updates ranks in place),
               in fp32 without the ranks of vertices that have no edges out. "as GAPBS": Tropic with
               --single --lose-dangling, which is the same; otherwise its ranks are fp64 and sum to
               1. LAGraph gappagerank_demo has fp32 ranks and both ways
  components   GAPBS cc (Afforest), LAGraph cc_demo (FastSV); a label is a vertex of the component,
               in Tropic the smallest
  betweenness  from four sources: GAPBS bc -i 4 (dependencies in fp32), LAGraph bc_demo (in fp32);
               Tropic's are fp64
  triangles    GAPBS tc, LAGraph tc_demo (the last method that it tries); ordering vertices is in
               the time of all
  cores        LAGraph AllKCore_demo; GAPBS has none

The others are built outside of Tropic, LAGraph with Debian's libgraphblas-dev 7.4:

  git clone https://github.com/sbeamer/gapbs && make -C gapbs
  git clone -b v1.0.2 https://github.com/GraphBLAS/LAGraph
  cmake -S LAGraph -B LAGraph/build -DCMAKE_BUILD_TYPE=Release && make -C LAGraph/build

--gapbs takes the folder gapbs, --lagraph the folder LAGraph/build.
"""

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path

from command_line import Failure, positive, run, run_benchmark

ALGORITHMS = ("bfs", "sssp", "pagerank", "components", "betweenness", "triangles", "cores")


def first_line(path):
    with open(path, encoding="utf-8") as file:
        return file.readline()


class Tropic:
    """The program `tropic`."""

    def __init__(self, program, threads):
        self.program, self.threads = program, threads

    def write(self, name, path, weighted):
        """Writes a graph, generated (kron:20) or read from a file, in the format of path's name."""
        kind, _, size = name.partition(":")
        if size:
            options = ["--weights"] if weighted else []
            run([self.program, "generate", kind, size, path, "--quiet", *options])
        else:
            run([self.program, "convert", name, path, "--quiet"])

    def report(self, algorithm, graph, options, verify):
        """The report of `tropic bench ALGORITHM`."""
        command = [self.program, "bench", algorithm, graph, "--device", "cpu", "--threads",
                   str(self.threads), "--json", "--quiet", *options]
        if not verify:
            command.append("--no-verify")
        return json.loads(run(command))

    def times(self, algorithm, graph, options, verify):
        """Pairs of the source, or None, and the seconds of each trial."""
        report = self.report(algorithm, graph, options, verify)
        return [(trial.get("source"), trial["seconds"]) for trial in report["trials"]]


class Gapbs:
    """The programs of GAPBS in a folder."""

    def __init__(self, folder, threads):
        self.folder = folder
        self.environment = os.environ | {"OMP_NUM_THREADS": str(threads)}

    def convert(self, source, target, weighted):
        """Converts a Matrix Market file to GAPBS's own format. Edges are mirrored, which changes
        nothing if the file has both directions."""
        weights = ["-w"] if weighted else []
        run([self.folder / "converter", "-s", "-f", source, *weights, "-b", target])

    def output(self, program, graph, options, verify):
        """The output of four trials, of which the first one warms up."""
        options = [*options, "-v"] if verify else options
        output = run([self.folder / program, "-f", graph, "-n", "4", *map(str, options)],
                     self.environment)
        if re.search(r"Verification:\s+FAIL", output):
            raise Failure(f"{program} on {graph}: GAPBS's verification fails")
        return output

    def seconds(self, program, graph, options, verify):
        """The median of the trials after the first one."""
        return median_trial(self.output(program, graph, options, verify))


def median_trial(output):
    """The median time of GAPBS's trials after the first one."""
    return statistics.median(numbers(r"Trial Time:\s+([0-9.]+)", output)[1:])


def numbers(pattern, output):
    return [float(text) for text in re.findall(pattern, output)]


class Lagraph:
    """The demonstration programs of LAGraph in its build folder."""

    def __init__(self, folder, threads):
        self.folder = folder
        self.environment = os.environ | {"OMP_NUM_THREADS": str(threads)}

    def run(self, program, *arguments):
        folder = "experimental" if program == "AllKCore_demo" else "src"
        output = run([self.folder / folder / "benchmark" / program, *arguments], self.environment)
        if "failure" in output.lower():
            raise Failure(f"{program} on {arguments[0]}: LAGraph's test fails")
        return output

    def convert(self, source, target):
        self.run("mtx2bin_demo", source, target)

    def seconds(self, pattern, program, *arguments):
        """The median of the times that follow `pattern` on a line."""
        return statistics.median(
            numbers(pattern + r".*?\s([0-9.]+) +\(?sec", self.run(program, *arguments)))


def write_sources(path, sources):
    """A file with vertices as LAGraph reads them: numbered from 1."""
    path.write_text("%%MatrixMarket matrix array integer general\n"
                    f"{len(sources)} 1\n" + "".join(f"{v + 1}\n" for v in sources), "utf-8")
    return path


class Graph:
    """The files of a graph, for each program."""

    def __init__(self, tropic, gapbs, lagraph, folder, name, weighted):
        kind = "weighted" if weighted else "plain"
        text, self.tropic = folder / f"{kind}.mtx", folder / f"{kind}.tropic"
        tropic.write(name, text, weighted)
        tropic.write(str(text), self.tropic, weighted)
        if gapbs:
            self.gapbs = folder / (f"{kind}.wsg" if weighted else f"{kind}.sg")
            gapbs.convert(text, self.gapbs, weighted)
        if lagraph:
            self.lagraph = folder / f"{kind}.grb"
            lagraph.convert(text, self.lagraph)
        self.has_weights = " pattern " not in first_line(text)
        text.unlink()


class Comparison:
    """The ratios of one graph, by pairs of algorithms, a number for each round."""

    def __init__(self, tropic, gapbs, lagraph, folder, name, sources, algorithms):
        self.tropic, self.gapbs, self.lagraph = tropic, gapbs, lagraph
        self.folder, self.sources = folder, sources
        self.plain, self.weighted = (Graph(tropic, gapbs, lagraph, folder, name, weighted)
                                     for weighted in (False, True))
        self.ratios = {}
        self.algorithms = algorithms
        has_sssp = "sssp" in algorithms and self.weighted.has_weights
        self.delta = self.best_delta() if has_sssp else None

    def best_delta(self):
        """The fastest width of a bucket for GAPBS, or for LAGraph if it is measured alone. Widths
        are tried from wide to narrow until one takes three times as long as the best: on roads
        LAGraph takes minutes with narrow ones."""
        graph = self.weighted
        start = self.tropic.times("sssp", graph.tropic, ["--sources", "1"], False)[0][0]
        listed = write_sources(self.folder / "sources.mtx", [start])
        seconds = {}
        for width in (4**n for n in range(8, -1, -1)):
            if self.gapbs:
                seconds[width] = self.gapbs.seconds("sssp", graph.gapbs,
                                                    ["-r", start, "-d", width], False)
            else:
                seconds[width] = statistics.mean(numbers(
                    r"trial:.*?\s([0-9.]+) sec",
                    self.lagraph.run("sssp_demo", graph.lagraph, listed, str(width))))
            if seconds[width] > 3 * min(seconds.values()):
                break
        return min(seconds, key=seconds.get)

    def add(self, key, other, ours):
        self.ratios.setdefault(key, []).append(other / ours)

    def round(self, seed, verify):
        """Measures every algorithm once."""
        if "bfs" in self.algorithms:
            self.search("bfs", "bfs", self.plain, [], [], seed, verify)
        if "sssp" in self.algorithms and self.weighted.has_weights:
            for distances in ("int64", "int32"):
                self.search("sssp", f"sssp {distances}", self.weighted,
                            ["--distances", distances], ["-d", self.delta], seed, verify)
        if "betweenness" in self.algorithms:
            self.betweenness(seed, verify)
        for name in ("pagerank", "components", "triangles", "cores"):
            if name in self.algorithms:
                getattr(self, name)(verify)

    def cores(self, verify):
        if self.lagraph:
            ours = self.median("cores", ["--trials", "3"], verify)
            self.add("cores, LAGraph", self.lagraph.seconds("trial", "AllKCore_demo",
                                                            self.plain.lagraph), ours)

    def median(self, algorithm, options, verify):
        """The median time of Tropic's trials on the graph without weights."""
        return statistics.median(
            t for _, t in self.tropic.times(algorithm, self.plain.tropic, options, verify))

    def search(self, algorithm, key, graph, own_options, options, seed, verify):
        from_sources = ["--sources", str(self.sources), "--seed", str(seed)]
        times = self.tropic.times(algorithm, graph.tropic, from_sources + own_options, verify)
        ours = sum(t for _, t in times)
        if self.gapbs:
            theirs = f"{key}, -d {self.delta}" if algorithm == "sssp" else key
            self.add(theirs, sum(self.gapbs.seconds(algorithm, graph.gapbs,
                                                    ["-r", source, *options], verify)
                                 for source, _ in times), ours)
        if self.lagraph:
            listed = write_sources(self.folder / "sources.mtx", [source for source, _ in times])
            width = [str(self.delta)] if algorithm == "sssp" else []
            mean = statistics.mean(numbers(
                r"trial:.*?\s([0-9.]+) sec",
                self.lagraph.run(f"{algorithm}_demo", graph.lagraph, listed, *width)))
            self.add(f"{key}, LAGraph", mean * len(times), ours)

    def pagerank(self, verify):
        ways = {"": [], " as GAPBS": ["--single", "--lose-dangling"]}
        ours = {variant: self.median("pagerank", ["--trials", "3", *options], verify)
                for variant, options in ways.items()}
        if self.gapbs:
            for program in ("pr_spmv", "pr"):
                other = self.gapbs.seconds(program, self.plain.gapbs,
                                           ["-t", "1e-4", "-i", "1000"], False)
                for variant, seconds in ours.items():
                    self.add(f"{program}{variant}", other, seconds)
        if self.lagraph:
            # Its second part distributes the ranks of vertices without edges out, as Tropic does.
            output = self.lagraph.run("gappagerank_demo", self.plain.lagraph)
            lost, kept = (statistics.median(numbers(r"trial:.*?\s([0-9.]+) sec", part))
                          for part in output.split("GAP:")[:2])
            self.add("pagerank, LAGraph", kept, ours[""])
            self.add("pagerank as GAPBS, LAGraph", lost, ours[" as GAPBS"])

    def components(self, verify):
        report = self.tropic.report("components", self.plain.tropic, ["--trials", "3"], verify)
        ours = report["median_seconds"]
        if self.gapbs:
            output = self.gapbs.output("cc", self.plain.gapbs, ["-a"], verify)
            self.agree("components", numbers(r"There are ([0-9]+) components", output)[0],
                       report["components"])
            self.add("components", median_trial(output), ours)
        if self.lagraph:
            self.add("components, LAGraph",
                     self.lagraph.seconds("SV6:.*trial", "cc_demo", self.plain.lagraph), ours)

    def betweenness(self, seed, verify):
        """GAPBS draws its own sources, the same ones in every run; without it, Tropic draws."""
        options = ["--trials", "3", "--seed", str(seed)]
        if self.gapbs:
            output = self.gapbs.output("bc", self.plain.gapbs, ["-i", "4", "-l"], verify)
            drawn = [int(v) for v in numbers(r"Source:?\s+([0-9]+)", output)]
            listed = self.folder / "sources.txt"
            # Those of the trials after the first one.
            listed.write_text("".join(f"{v}\n" for v in drawn[4:16]), "utf-8")
            options = ["--from", str(listed)]
        report = self.tropic.report("betweenness", self.plain.tropic, options, verify)
        ours = report["median_seconds"]
        if self.gapbs:
            self.add("betweenness", median_trial(output), ours)
        if self.lagraph:
            sources = [v for trial in report["trials"] for v in trial["sources"]]
            listed = write_sources(self.folder / "sources.mtx", sources)
            self.add("betweenness, LAGraph",
                     self.lagraph.seconds("BC time", "bc_demo", self.plain.lagraph, listed), ours)

    def triangles(self, verify):
        report = self.tropic.report("triangles", self.plain.tropic, ["--trials", "3"], verify)
        ours = report["median_seconds"]
        if self.gapbs:
            output = self.gapbs.output("tc", self.plain.gapbs, ["-a"], verify)
            self.agree("triangles", numbers(r"([0-9]+) triangles", output)[0],
                       report["triangles"])
            self.add("triangles", median_trial(output), ours)
        if self.lagraph:
            output = self.lagraph.run("tc_demo", self.plain.lagraph)
            self.agree("triangles", numbers(r"# of triangles: ([0-9]+)", output)[-1],
                       report["triangles"])
            self.add("triangles, LAGraph",
                     statistics.median(numbers(r"trial +[0-9]+: +([0-9.]+) sec", output)[-3:]),
                     ours)

    @staticmethod
    def agree(what, other, ours):
        if other != ours:
            raise Failure(f"found {ours} {what}, the other program {other:.0f}")


def report(name, ratios):
    """Prints the medians and quartiles of a graph."""
    name = Path(name).name
    for algorithm, values in ratios.items():
        values = sorted(values)
        low, high = values[len(values) // 4], values[-1 - len(values) // 4]
        print(f"{name:24} {algorithm:28} {statistics.median(values):6.2f}   {low:.2f} to {high:.2f}"
              f"   {len(values)}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/bench algorithms", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", metavar="GRAPH", nargs="*", default=["kron:20", "urand:20"],
                        help="kron:SCALE, urand:SCALE or a file with an undirected graph and positive "
                        "integer weights, or without weights and then without sssp "
                        "[kron:20 urand:20]")
    parser.add_argument("--gapbs", metavar="DIR", type=Path, help="the folder with GAPBS's programs")
    parser.add_argument("--lagraph", metavar="DIR", type=Path, help="the build folder of LAGraph")
    parser.add_argument("--tropic", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=positive, default=9, help="pairs of measurements [9]")
    parser.add_argument("--sources", type=positive, default=4,
                        help="sources of bfs and sssp in a round [4]")
    parser.add_argument("--threads", type=positive, default=len(os.sched_getaffinity(0)),
                        help="threads of all programs [all processors]")
    parser.add_argument("--only", metavar="NAME,...", default=",".join(ALGORITHMS),
                        help=f"the algorithms to measure [{','.join(ALGORITHMS)}]")
    parser.add_argument("--no-verify", action="store_true",
                        help="do not verify the results of the first round")
    options = parser.parse_args()
    algorithms = options.only.split(",")
    for name in algorithms:
        if name not in ALGORITHMS:
            parser.error(f"found --only {name!r}, expected some of {', '.join(ALGORITHMS)}")
    if not options.gapbs and not options.lagraph:
        parser.error("found neither --gapbs nor --lagraph, expected one or both")
    tropic = Tropic(options.tropic, options.threads)
    gapbs = Gapbs(options.gapbs, options.threads) if options.gapbs else None
    lagraph = Lagraph(options.lagraph, options.threads) if options.lagraph else None
    print(f"{'graph':24} {'algorithm':28} {'median':>6}   quartiles      rounds")
    for name in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: converts the graph ...", file=sys.stderr)
            comparison = Comparison(tropic, gapbs, lagraph, Path(folder), name,
                                    options.sources, algorithms)
            try:
                for n in range(options.rounds):
                    print(f"{name}: round {n + 1} of {options.rounds}", file=sys.stderr)
                    comparison.round(n + 1, n == 0 and not options.no_verify)
            finally:  # of an interrupted run the rounds so far
                report(name, comparison.ratios)


if __name__ == "__main__":
    run_benchmark(main)
