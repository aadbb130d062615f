# SPDX-License-Identifier: Apache-2.0
"""The algorithms, their progress, Ctrl+C and threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import networkx as nx
import numpy as np
import pytest

import tropic


@pytest.fixture(scope="module")
def graph():
    """A graph of NetworkX with weights, and its matrix."""
    g = nx.gnm_random_graph(60, 150, seed=3, directed=True)
    for number, (i, j) in enumerate(g.edges):
        g[i][j]["weight"] = number % 9 + 1
    i, j = np.array(g.edges).T
    weights = [g[u][v]["weight"] for u, v in g.edges]
    return g, tropic.Matrix.from_entries(i, j, weights, (60, 60))


def test_bfs(graph):
    g, a = graph
    found = tropic.bfs(a, 0)
    assert dict(found.level.items()) == nx.single_source_shortest_path_length(g, 0)
    assert found.reached == len(found.level) and found.depth == max(dict(found.level.items()).values())
    for v, parent in found.parent.items():
        assert v == parent == 0 or (g.has_edge(parent, v) and found.level[v] == found.level[parent] + 1)


def test_shortest_paths(graph):
    g, a = graph
    expected = nx.single_source_dijkstra_path_length(g, 0)
    found = tropic.shortest_paths(a, 0)
    assert found.distance.dtype == np.int64 and dict(found.distance.items()) == expected
    assert found.saturated == 0 and found.parent[0] == 0
    real = tropic.shortest_paths(a.astype("float64"), 0, parents=False)
    assert real.distance.dtype == np.float64 and dict(real.distance.items()) == expected
    assert len(real.parent) == 0
    assert tropic.shortest_paths(a, 0, dtype="int32", delta=3).distance.dtype == np.int32
    with pytest.raises(tropic.NegativeCycle):
        tropic.shortest_paths(a.apply("negate"), 0)


def test_pagerank(graph):
    g, a = graph
    for weighted in (False, True):
        expected = nx.pagerank(g, tol=1e-12, weight="weight" if weighted else None)
        found = tropic.pagerank(a, tolerance=1e-12, weighted=weighted)
        assert found.converged and found.rank.to_numpy().sum() == pytest.approx(1)
        assert dict(found.rank.items()) == pytest.approx(expected, abs=1e-9)
    assert tropic.pagerank(a, iterations=3).iterations == 3
    only = tropic.Vector.from_entries([5], [1.0], 60)
    personal = tropic.pagerank(a, tolerance=1e-12, preference=only)
    expected = nx.pagerank(g, tol=1e-12, weight=None, personalization={5: 1})
    assert dict(personal.rank.items()) == pytest.approx(expected, abs=1e-9)
    with pytest.raises(tropic.UsageError, match="preferences hold int64"):
        tropic.pagerank(a, preference=only.astype("int64"))
    with pytest.raises(tropic.UsageError, match="damping 2"):
        tropic.pagerank(a, damping=2)


def test_components_and_triangles(graph):
    g, a = graph
    parts = list(nx.weakly_connected_components(g))
    found = tropic.connected_components(a)
    assert found.components == len(parts)
    for part in parts:
        assert {found.label[v] for v in part} == {min(part)}
    triangles = nx.triangles(nx.Graph(g))
    assert tropic.triangle_count(a) == sum(triangles.values()) // 3
    assert dict(tropic.triangles_per_vertex(a).items()) == {v: n for v, n in triangles.items() if n}


def test_arguments_are_checked(graph):
    _, a = graph
    with pytest.raises(tropic.UsageError, match="60"):
        tropic.bfs(a, 60)
    with pytest.raises(tropic.UsageError):
        tropic.bfs(tropic.Matrix(3, 4), 0)
    with pytest.raises(TypeError, match="a graph is a Matrix"):
        tropic.bfs(a.T, 0)
    with pytest.raises(TypeError, match="needed a Vector"):
        tropic.pagerank(a, preference=[1.0] * 60)


ALGORITHMS = {
    "pagerank": lambda a, progress: tropic.pagerank(a, progress=progress),
    "components": lambda a, progress: tropic.connected_components(a, progress=progress),
    "triangles": lambda a, progress: tropic.triangle_count(a, progress=progress),
    "bfs": lambda a, progress: tropic.bfs(a, 0, progress=progress),
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
    run = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
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
        most, give_up = 0, time.monotonic() + 30
        while most < 20_000 and time.monotonic() < give_up:
            before = counted[0]
            tropic.pagerank(a, iterations=100)
            most = max(most, counted[0] - before)
        assert most >= 20_000
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
