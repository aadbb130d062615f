# SPDX-License-Identifier: Apache-2.0
"""What a call and an import cost, in processor time: the least of many repetitions. A call is
compared with a plain one in turns, since other programs on the machine slow Python down, too."""

import subprocess
import sys
import time

import numpy as np

import tropic


def least_seconds_of_calls(functions, repetitions=400, calls=50):
    least = [float("inf")] * len(functions)
    for _ in range(repetitions):
        for k, function in enumerate(functions):
            start = time.thread_time_ns()
            for _ in range(calls):
                function()
            least[k] = min(least[k], time.thread_time_ns() - start)
    return [nanoseconds / calls / 1e9 for nanoseconds in least]


class Plain:
    """A call with the arguments of mxv that does nothing."""

    def mxv(self, u, semiring="", *, out=None, mask=None, accumulate=None, replace=False,
            kernel=None, expected_calls=1):
        return u


def test_a_small_mxv_costs_few_plain_calls_of_python(monkeypatch, rng):
    i, j = rng.integers(0, 300, size=(2, 1200))
    entries = {(int(a), int(b)): 1.0 for a, b in zip(i, j)}
    at = np.array(list(entries)[:1000])
    a = tropic.Matrix.from_entries(at[:, 0], at[:, 1], np.ones(1000), (300, 300))
    u = tropic.Vector.full(300, 1.0)
    assert a.nvals == 1000 and a.mxv(u).nvals > 200
    # The same calls without the library.
    called = []
    monkeypatch.setattr(tropic._products._core, "multiply", lambda *arguments: called.append(1))
    plain = Plain()
    cost, one = least_seconds_of_calls(
        [lambda: a.mxv(u, "min_plus"), lambda: plain.mxv(u, "min_plus")]
    )
    # About 15. A plain call takes 0.1 us on a processor of 2022, and 30 of them are 3 us there.
    assert called and cost < 30 * one, f"{cost * 1e6:.2f} us, {cost / one:.1f} plain calls"


def test_importing_takes_little_longer_than_numpy():
    program = """
import time, numpy
start = time.process_time()
import tropic
print(time.process_time() - start)
"""
    seconds = min(
        float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
        for _ in range(12)
    )
    assert seconds < 0.060, f"{seconds * 1e3:.1f} ms"
