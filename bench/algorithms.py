#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Algorithms of Tropic on the CPU compared with those of the GAP benchmark suite.

Both programs read the same graph and run in turns, from the same sources. In the first round, Tropic
verifies its results, and GAPBS those of bfs, sssp and components. The table has the time of GAPBS
divided by Tropic's: above 1, Tropic is faster.

  bfs         GAPBS bfs
  sssp        GAPBS sssp, with the fastest of several widths of a bucket (-d); Tropic chooses its own.
              GAPBS's distances are int32; Tropic's are int64 unless asked for int32
  pagerank    GAPBS pr_spmv (iterates over a copy, as Tropic does) and pr (updates ranks in place), in
              fp32 without the ranks of vertices that have no edges out. "as GAPBS": Tropic with
              --single --lose-dangling, which is the same; otherwise its ranks are fp64 and sum to 1
  components  GAPBS cc (Afforest); a label is a vertex of the component, in Tropic the smallest

GAPBS is built outside of Tropic:

  git clone https://github.com/sbeamer/gapbs && make -C gapbs
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path


class Failure(Exception):
    """A message for the user."""


def run(command, environment=None):
    """The standard output of a command; Failure with its messages if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        message = (done.stderr or done.stdout).strip()
        raise Failure(f"{' '.join(map(str, command))}: status {done.returncode}: {message}")
    return done.stdout


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

    def times(self, algorithm, graph, options, verify):
        """Pairs of the source, or None, and the seconds of each trial."""
        command = [self.program, "bench", algorithm, graph, "--device", "cpu", "--threads",
                   str(self.threads), "--json", "--quiet", *options]
        if not verify:
            command.append("--no-verify")
        report = json.loads(run(command))
        return [(trial.get("source"), trial["seconds"]) for trial in report["trials"]]


    def seconds_of_components(self, graph, verify):
        """The median of three trials after a first one, which warms up."""
        command = [self.program, "components", graph, "--device", "cpu", "--threads",
                   str(self.threads), "--trials", "4", "--json", "--quiet"]
        if verify:
            command.append("--verify")
        return statistics.median(json.loads(run(command))["seconds"]["run"][1:])


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

    def seconds(self, program, graph, options, verify):
        """The median of three trials after a first one, which warms up."""
        options = [*options, "-v"] if verify else options
        output = run([self.folder / program, "-f", graph, "-n", "4", *map(str, options)],
                     self.environment)
        if re.search(r"Verification:\s+FAIL", output):
            raise Failure(f"{program} on {graph}: GAPBS's verification fails")
        trials = [float(t) for t in re.findall(r"Trial Time:\s+([0-9.]+)", output)]
        return statistics.median(trials[1:])


def compare(tropic, gapbs, folder, name, rounds, sources):
    """Ratios by pairs of algorithms, a number per round."""
    print(f"{name}: converts the graph ...", file=sys.stderr)
    graphs = {}
    for weighted in (False, True):
        kind = "weighted" if weighted else "plain"
        text, ours = folder / f"{kind}.mtx", folder / f"{kind}.tropic"
        theirs = folder / (f"{kind}.wsg" if weighted else f"{kind}.sg")
        tropic.write(name, text, weighted)
        tropic.write(str(text), ours, weighted)
        gapbs.convert(text, theirs, weighted)
        has_weights = " pattern " not in first_line(text)
        text.unlink()
        graphs[weighted] = ours, theirs

    plain, plain_theirs = graphs[False]
    searches = [("bfs", "bfs", plain, plain_theirs, [], [])]
    if has_weights:
        weighted, weighted_theirs = graphs[True]
        start = tropic.times("sssp", weighted, ["--sources", "1"], False)[0][0]
        delta = min((4**n for n in range(9)),
                    key=lambda d: gapbs.seconds("sssp", weighted_theirs, ["-r", start, "-d", d],
                                                False))
        for distances in ("int64", "int32"):
            searches.append(("sssp", f"sssp {distances}, -d {delta}", weighted, weighted_theirs,
                             ["--distances", distances], ["-d", delta]))
    ratios = {key: [] for _, key, *_ in searches}
    ranks = {"": [], " as GAPBS": ["--single", "--lose-dangling"]}
    ratios |= {f"{program}{how}": [] for how in ranks for program in ("pr_spmv", "pr")}
    ratios |= {"components": []}
    for n in range(rounds):
        print(f"{name}: round {n + 1} of {rounds}", file=sys.stderr)
        verify = n == 0
        from_sources = ["--sources", str(sources), "--seed", str(n + 1)]
        for algorithm, key, graph, theirs, own_options, options in searches:
            times = tropic.times(algorithm, graph, from_sources + own_options, verify)
            other = [gapbs.seconds(algorithm, theirs, ["-r", source, *options], verify)
                     for source, _ in times]
            ratios[key].append(sum(other) / sum(t for _, t in times))
        others = {program: gapbs.seconds(program, plain_theirs, ["-t", "1e-4", "-i", "1000"], False)
                  for program in ("pr_spmv", "pr")}
        for how, options in ranks.items():
            times = tropic.times("pagerank", plain, ["--trials", "3", *options], verify)
            seconds = statistics.median(t for _, t in times)
            for program, other in others.items():
                ratios[f"{program}{how}"].append(other / seconds)
        other = gapbs.seconds("cc", plain_theirs, [], verify)
        ratios["components"].append(other / tropic.seconds_of_components(plain, verify))
    return ratios


def report(name, ratios):
    """Prints the medians and quartiles of a graph."""
    name = Path(name).name
    for algorithm, values in ratios.items():
        values = sorted(values)
        low, high = values[len(values) // 4], values[-1 - len(values) // 4]
        print(f"{name:24} {algorithm:20} {statistics.median(values):6.2f}   {low:.2f} to {high:.2f}",
              flush=True)


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text}, expected 1 or more")
    return number


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/bench algorithms", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", metavar="GRAPH", nargs="*", default=["kron:20", "urand:20"],
                        help="kron:SCALE, urand:SCALE or a file with an undirected graph and positive "
                        "integer weights, or without weights and then without sssp "
                        "[kron:20 urand:20]")
    parser.add_argument("--gapbs", metavar="DIR", type=Path, required=True,
                        help="the folder with GAPBS's programs")
    parser.add_argument("--tropic", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=positive, default=9, help="pairs of measurements [9]")
    parser.add_argument("--sources", type=positive, default=4, help="sources in a round [4]")
    parser.add_argument("--threads", type=positive, default=len(os.sched_getaffinity(0)),
                        help="threads of both [all processors]")
    options = parser.parse_args()
    tropic = Tropic(options.tropic, options.threads)
    gapbs = Gapbs(options.gapbs, options.threads)
    try:
        print(f"{'graph':24} {'algorithm':20} {'median':>6}   quartiles")
        for name in options.graphs:
            with tempfile.TemporaryDirectory() as folder:
                report(name, compare(tropic, gapbs, Path(folder), name, options.rounds,
                                     options.sources))
    except Failure as failure:
        sys.exit(f"bench: {failure}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
