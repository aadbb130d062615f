# SPDX-License-Identifier: Apache-2.0
"""Every type of exception, raised as a user meets it; and that containers keep their contents."""

import threading
import time

import numpy as np
import pytest

import tropic


def cancelled():
    where = tropic.Context("cpu")
    v = tropic.Vector.full(4, 1.0, context=where)
    where.cancel()
    try:
        v.ewise_add(v)
    finally:
        where.resume()


def out_of_memory():
    where = tropic.Context("cpu", memory_limit=100_000)
    tropic.Vector.full(1_000_000, 1.0, context=where).apply("negate")


def bad_file(tmp_path):
    path = tmp_path / "bad.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n")
    tropic.read(path)


def negative_cycle():
    a = tropic.Matrix.from_entries([0, 1], [1, 0], [1, -2], (2, 2))
    tropic.shortest_paths(a, 0)


def no_convergence():
    tropic.eigenvector_centrality(tropic.grid(5), max_iterations=1)


RAISED = [
    (tropic.UsageError, lambda _: tropic.Matrix(2, 3).mxv(tropic.Vector(2)), ["3", "2"]),
    (tropic.ExpressionError, lambda _: tropic.operator("x +"), ["x +"]),
    (tropic.InputError, bad_file, ["bad.mtx:3", "'3'"]),
    (tropic.NegativeCycle, lambda _: negative_cycle(), ["negative"]),
    (tropic.NoConvergence, lambda _: no_convergence(), ["1 iterations"]),
    (tropic.OutOfMemory, lambda _: out_of_memory(), ["bytes"]),
    (tropic.DeviceError, lambda _: tropic.Context("cuda:99"), ["cuda"]),
    (tropic.Cancelled, lambda _: cancelled(), []),
    (IndexError, lambda _: tropic.Vector(3)[3], ["3"]),
    (IndexError, lambda _: tropic.Matrix(3, 3)[0, -4], ["-4"]),
    (OverflowError, lambda _: tropic.Vector(3, "int8").assign(300), ["300", "int8"]),
    (TypeError, lambda _: tropic.Vector([1, 2]), ["Vector: found a size of type list", "from_array"]),
    (TypeError, lambda _: tropic.Matrix(3, 3).mxv([1, 2, 3]), ["list", "Vector"]),
    (TypeError, lambda _: tropic.Vector(3).assign("seven"), []),
    (KeyboardInterrupt, lambda _: tropic.pagerank(tropic.grid(50), progress=interrupt), []),
]


def interrupt(step, done):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("kind", "call", "words"), RAISED, ids=[
    f"{kind.__name__}-{number}" for number, (kind, _, _) in enumerate(RAISED)])
def test_is_raised(kind, call, words, tmp_path):
    with pytest.raises(kind) as raised:
        call(tmp_path)
    assert type(raised.value) is kind
    if issubclass(kind, tropic.Error):
        assert raised.value.__cause__ is None or not isinstance(raised.value.__cause__, SystemError)
    for word in words:
        assert word.lower() in str(raised.value).lower()


def test_every_type_is_in_the_list():
    def below(kind):
        return {kind}.union(*(below(one) for one in kind.__subclasses__()))

    raised = {kind for kind, _, _ in RAISED}
    # The base itself is raised by nothing else.
    assert below(tropic.Error) - {tropic.Error} <= raised
    public = {getattr(tropic, name) for name in tropic.__all__}
    assert below(tropic.Error) <= public


def test_another_thread_that_writes_is_refused():
    v, entered, go_on = tropic.Vector.full(4, 1.0), threading.Event(), threading.Event()
    graph = tropic.grid(60)

    def progress(step, done):
        entered.set()
        go_on.wait(20)

    worker = threading.Thread(target=tropic.pagerank, args=(graph,), kwargs={"progress": progress})
    worker.start()
    assert entered.wait(20)
    with pytest.raises(RuntimeError, match="another thread is using this matrix"):
        graph[0, 0] = 5
    go_on.set()
    worker.join()
    graph[0, 0] = 5
    assert v.reduce() == 4


@pytest.mark.parametrize("name", ["pagerank", "modularity"])
def test_a_vector_that_an_algorithm_reads_is_not_written(name):
    graph, over = tropic.grid(100), threading.Event()
    count = graph.shape[0]
    read = tropic.Vector.full(count, 1.0 if name == "pagerank" else 0)
    run = {"pagerank": lambda: tropic.pagerank(graph, preference=read, iterations=20),
           "modularity": lambda: tropic.modularity(graph, read)}[name]
    failures = []

    def work():
        while not over.is_set():
            try:
                run()
            except RuntimeError as error:  # the other thread was first
                if "another thread is writing this vector" not in str(error):
                    failures.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    refused, last = False, time.monotonic() + 20
    try:
        while not refused and time.monotonic() < last:
            try:
                read[0] = read[1]
            except RuntimeError as error:
                refused = "another thread is using this vector" in str(error)
    finally:
        over.set()
        worker.join()
    assert refused and not failures


def test_outputs_keep_their_contents_after_an_error():
    w = tropic.Vector.from_entries([1], [7.0], 3)
    a = tropic.Matrix.from_entries([0], [1], [2.0], (3, 3))
    kept_w, kept_a = w.copy(), a.copy()
    for bad in (
        lambda: a.mxv(tropic.Vector(4), out=w),
        lambda: a.mxv(w.astype("int8"), out=w),
        lambda: w.assign(np.arange(2.0), [0, 0]),
        lambda: w.assign(1, [9]),
        lambda: a.assign(a, [0, 1], [0]),
        lambda: a.mxm(tropic.Matrix(2, 2), out=a),
    ):
        with pytest.raises(tropic.UsageError):
            bad()
        assert w == kept_w and a == kept_a
