# SPDX-License-Identifier: Apache-2.0
"""tropic.csgraph against scipy.sparse.csgraph."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph as scipy_csgraph

import tropic
from tropic import csgraph


def graphs():
    r = np.random.default_rng(5)
    for count, density in ((1, 0.5), (12, 0.15), (60, 0.03), (40, 0.2)):
        s = sparse.random_array((count, count), density=density, format="csr", rng=r,
                                data_sampler=lambda size: r.integers(1, 9, size).astype(float))
        yield pytest.param(s, id=f"sparse-{count}-{density}")
        yield pytest.param(s.toarray(), id=f"dense-{count}-{density}")


every_graph = pytest.mark.parametrize("g", list(graphs()))


def check_predecessors(g, directed, unweighted, distances, predecessors, sources):
    """Each predecessor is the vertex before on a shortest path."""
    table = g.toarray() if sparse.issparse(g) else np.array(g)
    table = np.where(table == 0, np.inf, 1.0 if unweighted else table)
    if not directed:
        table = np.minimum(table, table.T)
    for row, source in enumerate(sources):
        for v, before in enumerate(predecessors[row]):
            if before == -9999:
                assert v == source or np.isinf(distances[row, v])
            else:
                assert distances[row, v] == distances[row, before] + table[before, v]


@every_graph
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("unweighted", [True, False])
def test_shortest_paths(g, directed, unweighted):
    options = {"directed": directed, "unweighted": unweighted}
    expected = scipy_csgraph.dijkstra(g, **options)
    for name in ("dijkstra", "bellman_ford", "shortest_path"):
        assert np.array_equal(getattr(csgraph, name)(g, **options), expected)
    count = expected.shape[0]
    distances, predecessors = csgraph.dijkstra(g, return_predecessors=True, **options)
    assert np.array_equal(distances, expected) and predecessors.dtype == np.int32
    check_predecessors(g, directed, unweighted, distances, predecessors, range(count))
    for indices in (0, -1, [count - 1, 0]):
        ours = csgraph.dijkstra(g, indices=indices, limit=6, **options)
        assert np.array_equal(ours, scipy_csgraph.dijkstra(g, indices=indices, limit=6, **options))
    for method in ("auto", "FW", "D", "BF", "J"):
        assert np.array_equal(csgraph.shortest_path(g, method, **options), expected)
    for name in ("johnson", "floyd_warshall"):
        found = getattr(csgraph, name)(g, return_predecessors=True, **options)
        assert np.array_equal(found[0], expected)
        check_predecessors(g, directed, unweighted, *found, range(count))
        assert np.array_equal(getattr(csgraph, name)(g, **options), expected)


def test_indices_of_any_shape():
    g = np.array([[0, 3.0, 1], [0, 0, 0], [0, 1, 0]])
    for name in ("dijkstra", "bellman_ford", "shortest_path"):
        for shape in ((), (1,), (4,), (2, 2), (1, 4, 1), (0,)):
            indices = np.resize([2, 0, 1, 0], shape)
            expected = getattr(scipy_csgraph, name)(g, indices=indices, return_predecessors=True) if indices.size else (
                np.empty((0, 3)), np.empty((0, 3), dtype=np.int32))
            found = getattr(csgraph, name)(g, indices=indices, return_predecessors=True)
            for ours, theirs in zip(found, expected):
                assert ours.shape == theirs.shape == (*shape, 3) and np.array_equal(ours, theirs)


def test_graphs_of_pydata_sparse():
    pydata = pytest.importorskip("sparse", reason="PyData Sparse is not installed")
    g = np.array([[0, 3.0, 1], [0, 0, 0], [0, 1, 0]])
    for missing in (0, np.inf, np.nan):
        given = pydata.COO(np.array([[0, 0, 2], [1, 2, 1]]), np.array([3.0, 1, 1]), shape=(3, 3), fill_value=missing)
        assert np.array_equal(csgraph.dijkstra(given), scipy_csgraph.dijkstra(g))
        tree = csgraph.minimum_spanning_tree(given)
        assert isinstance(tree, pydata.COO) and sorted(tree.data.tolist()) == [1, 1]
        assert np.array_equal(tree.fill_value, missing, equal_nan=True)


@every_graph
@pytest.mark.parametrize("directed", [True, False])
def test_the_nearest_of_several_sources(g, directed):
    count = g.shape[0]
    table = g.toarray() if sparse.issparse(g) else np.array(g)
    table = np.where(table == 0, np.inf, table)
    if not directed:
        table = np.minimum(table, table.T)
    for indices in (0, [0], [0, count // 2, count - 1], [[-1], [0]], None):
        for limit in (np.inf, 6):
            options = {"directed": directed, "indices": indices, "min_only": True, "limit": limit}
            expected = scipy_csgraph.dijkstra(g, **options)
            assert np.array_equal(csgraph.dijkstra(g, **options), expected)
            distance, before, origin = csgraph.dijkstra(g, return_predecessors=True, **options)
            assert np.array_equal(distance, expected) and before.dtype == origin.dtype == np.int32
            # Origins are those of the vertices before, and of no vertex for the sources.
            for v in np.flatnonzero(before >= 0):
                assert origin[v] == origin[before[v]]
                assert distance[v] == distance[before[v]] + table[before[v], v]
            for v in np.flatnonzero((before < 0) & ~np.isinf(distance)):
                assert origin[v] == v and distance[v] == 0
    indices = [0, count // 2, count - 1]
    distance, _, origin = csgraph.dijkstra(g, directed, indices, min_only=True, return_predecessors=True)
    from_each = scipy_csgraph.dijkstra(g, directed, indices)
    for v in range(count):
        if np.isinf(distance[v]):
            assert origin[v] == -9999
        else:
            assert from_each[indices.index(origin[v]), v] == distance[v]


@every_graph
@pytest.mark.parametrize("directed", [True, False])
def test_breadth_first_order_is_that_of_scipy(g, directed):
    for start in {0, g.shape[0] - 1}:
        order, parents = csgraph.breadth_first_order(g, start, directed)
        expected, expected_parents = scipy_csgraph.breadth_first_order(g, start, directed)
        assert np.array_equal(order, expected) and np.array_equal(parents, expected_parents)
        assert np.array_equal(csgraph.breadth_first_order(g, start, directed, False), order)
        found = csgraph.breadth_first_tree(g, start, directed)
        tree = scipy_csgraph.breadth_first_tree(g, start, directed)
        assert type(found) is type(tree) and np.array_equal(found.toarray(), tree.toarray())


@pytest.mark.parametrize("directed", [True, False])
def test_breadth_first_search_of_a_matrix(directed):
    g = tropic.kron(6)
    theirs = g.to_scipy().astype(float)
    for ours, expected in [
        (csgraph.breadth_first_order(g, 3, directed), scipy_csgraph.breadth_first_order(theirs, 3, directed)),
        ([csgraph.breadth_first_tree(g, 3, directed).toarray()],
         [scipy_csgraph.breadth_first_tree(theirs, 3, directed).toarray()]),
    ]:
        for one, other in zip(ours, expected):
            assert np.array_equal(one, other)


def test_results_have_the_classes_of_scipy():
    dense = np.array([[0, 3.0, 1], [0, 0, 0], [0, 1, 0]])
    for make in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix, sparse.coo_matrix, np.array,
                 np.ndarray.tolist):
        g = make(dense)
        for name, options in (("minimum_spanning_tree", ()), ("breadth_first_tree", (0,))):
            found, expected = getattr(csgraph, name)(g, *options), getattr(scipy_csgraph, name)(g, *options)
            assert type(found) is type(expected) and found.dtype == expected.dtype
            assert np.array_equal(found.toarray(), expected.toarray())
    assert type(csgraph.minimum_spanning_tree(tropic.Matrix.from_dense(dense))) is sparse.csr_array


def test_other_names_are_those_of_scipy():
    assert csgraph.NegativeCycleError is scipy_csgraph.NegativeCycleError
    assert csgraph.maximum_flow is scipy_csgraph.maximum_flow
    with pytest.raises(AttributeError, match="no attribute 'nosuch', nor has scipy.sparse.csgraph"):
        csgraph.nosuch
    assert not hasattr(csgraph, "__path__")
    for name in csgraph.__all__:
        assert getattr(csgraph, name).__module__ == "tropic.csgraph" and callable(getattr(scipy_csgraph, name))


@every_graph
def test_connected_components(g):
    for directed in (True, False):
        count, labels = csgraph.connected_components(g, directed)
        expected, expected_labels = scipy_csgraph.connected_components(g, directed, "weak")
        assert count == expected and np.array_equal(labels, expected_labels)
        assert csgraph.connected_components(g, directed, return_labels=False) == expected


@every_graph
def test_strong_components(g):
    for directed in (True, False):
        count, labels = csgraph.connected_components(g, directed, "strong")
        expected, expected_labels = scipy_csgraph.connected_components(g, directed, "strong")
        assert count == expected == len(set(zip(labels.tolist(), expected_labels.tolist())))
        firsts = [labels.tolist().index(label) for label in range(count)]
        assert firsts == sorted(firsts) and labels.dtype == np.int32
        assert csgraph.connected_components(g, directed, "strong", return_labels=False) == expected


@every_graph
def test_minimum_spanning_tree(g):
    expected = scipy_csgraph.minimum_spanning_tree(g)
    found = csgraph.minimum_spanning_tree(g)
    assert found.dtype == np.float64 and found.format == "csr" and found.nnz == expected.nnz
    assert sorted(found.data) == sorted(expected.data)
    table = g.toarray() if sparse.issparse(g) else g
    i, j = found.nonzero()
    assert np.array_equal(table[i, j], found.toarray()[i, j])
    assert scipy_csgraph.connected_components(found)[0] == scipy_csgraph.connected_components(g)[0]


def test_minimum_spanning_tree_of_different_weights():
    r = np.random.default_rng(6)
    g = np.where(r.random((30, 30)) < 0.2, r.permutation(900).reshape(30, 30) - 450.0, 0)
    np.fill_diagonal(g, 0)
    expected = scipy_csgraph.minimum_spanning_tree(g)
    assert np.array_equal(csgraph.minimum_spanning_tree(g).toarray(), expected.toarray())
    zero = sparse.csr_array(([0.0, 2.0, 1.0], ([0, 2, 1], [1, 0, 2])), shape=(3, 3))
    found, expected = csgraph.minimum_spanning_tree(zero), scipy_csgraph.minimum_spanning_tree(zero)
    assert np.array_equal(found.toarray(), expected.toarray()) and found.nnz == expected.nnz == 1


def test_negative_weights():
    g = np.array([[0, 4, 2], [0, 0, 0], [0, -3, 0]], dtype=float)
    assert np.array_equal(csgraph.bellman_ford(g, indices=0), scipy_csgraph.bellman_ford(g, indices=0))
    with pytest.raises(ValueError, match="a weight is negative"):
        csgraph.dijkstra(g)
    for name in ("johnson", "floyd_warshall", "shortest_path"):
        assert np.array_equal(getattr(csgraph, name)(g), getattr(scipy_csgraph, name)(g))
    g[1, 2] = 1
    for name in ("johnson", "floyd_warshall", "bellman_ford", "shortest_path"):
        with pytest.raises(csgraph.NegativeCycleError):
            getattr(csgraph, name)(g)


def test_floyd_warshall_ignores_loops():
    g = sparse.csr_array(np.array([[-1, 2, 0], [0, 0, 3], [0, 0, 5]], dtype=float))
    assert np.array_equal(csgraph.floyd_warshall(g), scipy_csgraph.floyd_warshall(g))


def test_weights_of_zero():
    # Explicit zeros are edges.
    g = sparse.csr_array((np.array([0.0, 2, 0, 1]), np.array([1, 2, 2, 3]), np.array([0, 2, 3, 4, 4])),
                         shape=(4, 4))
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
        for directed in (True, False):
            assert np.array_equal(getattr(csgraph, name)(g, directed=directed),
                                  getattr(scipy_csgraph, name)(g, directed=directed))


def test_a_negative_cycle_that_is_not_reached():
    g = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, -2], [0, 0, 1, 0]], dtype=float)
    assert np.array_equal(csgraph.bellman_ford(g, indices=0), scipy_csgraph.bellman_ford(g, indices=0))
    for call in (lambda of: of.johnson(g, indices=0), lambda of: of.shortest_path(g, indices=0),
                 lambda of: of.shortest_path(g, "J", indices=0)):
        for of in (csgraph, scipy_csgraph):
            with pytest.raises(scipy_csgraph.NegativeCycleError):
                call(of)


def test_arguments_are_checked():
    g = tropic.grid(3)
    assert np.array_equal(csgraph.dijkstra(g, indices=0), scipy_csgraph.dijkstra(g.to_scipy().astype(float), indices=0))
    for bad, message in [
        (lambda: csgraph.dijkstra(np.ones((2, 3))), "shape|square"),
        (lambda: csgraph.dijkstra(g, indices=9), "out of range"),
        (lambda: csgraph.dijkstra(g, indices=0.5), "found float64"),
        (lambda: csgraph.dijkstra(g, limit=-1), "limit is -1"),
        (lambda: csgraph.shortest_path(g, "X"), "method is 'X'"),
        (lambda: csgraph.shortest_path(g, "FW", indices=0), "all vertices"),
        (lambda: csgraph.breadth_first_order(g, 9), "i_start is 9"),
        (lambda: csgraph.minimum_spanning_tree(np.ones((2, 3))), "shape|square"),
        (lambda: csgraph.connected_components(g, connection="x"), "connection is 'x'"),
    ]:
        with pytest.raises(ValueError, match=message):
            bad()
