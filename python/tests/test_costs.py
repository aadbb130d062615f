# SPDX-License-Identifier: Apache-2.0
"""What a call and an import cost, in processor time: the least of many repetitions, which a busy
machine delays but does not lengthen."""

import subprocess
import sys
import time

import numpy as np

import tropic


def least_seconds_of_a_call(function, repetitions=400, calls=50):
    least = float("inf")
    for _ in range(repetitions):
        start = time.thread_time_ns()
        for _ in range(calls):
            function()
        least = min(least, time.thread_time_ns() - start)
    return least / calls / 1e9


def test_a_small_mxv_costs_few_microseconds_of_python(monkeypatch, rng):
    i, j = rng.integers(0, 300, size=(2, 1200))
    entries = {(int(a), int(b)): 1.0 for a, b in zip(i, j)}
    at = np.array(list(entries)[:1000])
    a = tropic.Matrix.from_entries(at[:, 0], at[:, 1], np.ones(1000), (300, 300))
    u = tropic.Vector.full(300, 1.0)
    assert a.nvals == 1000 and a.mxv(u).nvals > 200
    # The same calls without the library.
    called = []
    monkeypatch.setattr(tropic._products._core, "multiply", lambda *arguments: called.append(1))
    cost = least_seconds_of_a_call(lambda: a.mxv(u, "min_plus"))
    assert called and cost < 5e-6, f"{cost * 1e6:.2f} us"


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
