# SPDX-License-Identifier: Apache-2.0
"""Progress of the algorithms, Ctrl+C and threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tropic


ALGORITHMS = {
    "pagerank": lambda a, progress: tropic.pagerank(a, progress=progress),
    "pagerank_batch": lambda a, progress: tropic.pagerank_batch(
        a, np.ones((a.shape[0], 2)), progress=progress).rank.tolist(),
    "components": lambda a, progress: tropic.connected_components(a, progress=progress),
    "triangles": lambda a, progress: tropic.triangle_count(a, progress=progress),
    "bfs": lambda a, progress: tropic.bfs(a, 0, progress=progress),
    "strong components": lambda a, progress: tropic.strong_components(a, progress=progress),
    "spanning forest": lambda a, progress: tropic.minimum_spanning_forest(a, progress=progress),
    "betweenness": lambda a, progress: tropic.betweenness(a, progress=progress),
    "louvain": lambda a, progress: tropic.louvain(a, progress=progress),
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_progress_is_reported_and_may_end_the_run(graph, name):
    _, a = graph
    steps = []
    expected = ALGORITHMS[name](a, lambda step, done: steps.append((step, done)))
    assert steps and all(isinstance(step, str) and (done is None or 0 <= done <= 1) for step, done in steps)

    class Enough(Exception):
        pass

    def stop(step, done):
        raise Enough(step)

    before = a.copy()
    with pytest.raises(Enough):
        ALGORITHMS[name](a, stop)
    assert a == before and ALGORITHMS[name](a, None) == expected


def test_progress_is_shown_by_tqdm(graph, capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    _, a = graph
    expected = tropic.pagerank(a)
    assert capsys.readouterr().err == ""
    assert tropic.pagerank(a, progress=True) == expected
    shown = capsys.readouterr().err
    assert "pagerank" in shown and "%|" in shown
    assert tropic.pagerank(a, progress=False) == expected
    assert capsys.readouterr().err == ""
    # The bar is gone after an error as well.
    with pytest.raises(tropic.UsageError, match="damping 2"):
        tropic.pagerank(a, damping=2, progress=True)
    assert capsys.readouterr().err.endswith("\r")


def test_progress_without_tqdm_is_not_shown(graph, monkeypatch):
    _, a = graph
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(UserWarning, match="tqdm is not installed"):
        assert tropic.bfs(a, 0, progress=True) == tropic.bfs(a, 0)


def test_a_bar_goes_back_for_the_next_step():
    from tropic._progress import Bar

    class Recorder:
        def __init__(self, **options):
            self.n, self.seen, self.closed = 0.0, [], False

        def set_description_str(self, step):
            self.seen.append((step, self.n))

        def update(self, increment):
            self.n += increment

        def close(self):
            self.closed = True

    bar = Bar(Recorder)
    for step, done in [("a", 0.25), ("a", 1.0), ("b", None), ("c", 0.5)]:
        bar(step, done)
    bar.close()
    assert bar._bar.seen == [("a", 0.25), ("b", 0.0), ("c", 0.5)] and bar._bar.closed


def test_a_context_can_be_cancelled(graph):
    where = tropic.Context("cpu")
    a = graph[1].to(where)
    where.cancel()
    with pytest.raises(tropic.Cancelled):
        tropic.pagerank(a)
    where.resume()
    assert tropic.pagerank(a).converged


def test_ctrl_c_ends_a_run_at_its_next_step():
    program = """
import sys, tropic
a = tropic.kron(12)
expected = tropic.pagerank(a, iterations=3)
print("ready", flush=True)
try:
    tropic.pagerank(a, iterations=10**9)
except KeyboardInterrupt:
    print("interrupted", tropic.pagerank(a, iterations=3) == expected, flush=True)
"""
    run = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        # A shell's background job ignores the signal, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.3)
        os.kill(run.pid, signal.SIGINT)
        assert run.communicate(timeout=60)[0] == "interrupted True\n"
    finally:
        run.kill()
        run.wait()


def test_other_threads_run_meanwhile():
    a = tropic.kron(13)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        # While a call holds the GIL, the other thread counts nothing.
        max_counted, give_up = 0, time.monotonic() + 30
        while max_counted < 20_000 and time.monotonic() < give_up:
            before = counted[0]
            tropic.pagerank(a, iterations=100)
            max_counted = max(max_counted, counted[0] - before)
        assert max_counted >= 20_000
    finally:
        stop.set()
        thread.join()


def test_a_container_that_is_written_is_not_used_by_another_thread():
    a, w = tropic.kron(10, dtype="float64"), tropic.Vector(1024)
    u = tropic.Vector.full(1024, 1.0)
    errors = []

    def inside(step, done):
        # The graph is being read: writing it is refused, reading is not.
        try:
            a[0, 0] = 1
        except RuntimeError as error:
            errors.append(str(error))
        a.mxv(u, out=w)

    tropic.pagerank(a, iterations=1, progress=inside)
    assert errors and "another thread is using this matrix" in errors[0]
    a[0, 0] = 1
