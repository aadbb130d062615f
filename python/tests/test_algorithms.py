# SPDX-License-Identifier: Apache-2.0
"""The algorithms, compared with NetworkX."""

import random
from collections import Counter

import networkx as nx
import numpy as np
import pytest

import tropic


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


def test_shortest_paths_up_to_a_limit(graph):
    g, a = graph
    whole = tropic.shortest_paths(a, 0)
    for limit in (0, 4, 6.5, np.float32(9), 10**30, np.inf):
        found = tropic.shortest_paths(a, 0, limit=limit)
        assert dict(found.distance.items()) == nx.single_source_dijkstra_path_length(g, 0, cutoff=limit)
        assert {v: whole.parent[v] for v, _ in found.distance.items()} == dict(found.parent.items())
    assert tropic.shortest_paths(a, 0, limit=4).steps < whole.steps
    distances = tropic.shortest_paths_between(a, [0, 0], [0, 59], limit=1).distance
    assert dict(distances.items()) == {0: 0}
    for limit, message in ((-1, "the limit is -1"), (np.nan, "the limit is nan")):
        with pytest.raises(tropic.UsageError, match=message):
            tropic.shortest_paths(a, 0, limit=limit)
        with pytest.raises(tropic.UsageError, match=message):
            tropic.shortest_paths_between(a, [0], [1], limit=limit)
    with pytest.raises(tropic.UsageError, match="a limit needs weights from 0"):
        tropic.shortest_paths(a.apply("negate"), 0, limit=4)


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


def test_pagerank_batch(graph):
    g, a = graph
    preferences = np.zeros((60, 3))
    preferences[5, 0] = 2
    preferences[:, 1] = 1
    preferences[::7, 2] = np.arange(9) + 1
    for weighted in (False, True):
        found = tropic.pagerank_batch(a, preferences, tolerance=1e-12, weighted=weighted)
        assert found.rank.shape == (60, 3) and found.converged.all()
        for s in range(3):
            wanted = {v: p for v, p in enumerate(preferences[:, s]) if p}
            expected = nx.pagerank(g, tol=1e-12, weight="weight" if weighted else None,
                                   personalization=wanted)
            assert dict(enumerate(found.rank[:, s])) == pytest.approx(expected, abs=1e-9)
            one = tropic.pagerank(a, tolerance=1e-12, weighted=weighted, preference=tropic.Vector.from_array(
                np.ascontiguousarray(preferences[:, s])))
            assert found.rank[:, s] == pytest.approx(one.rank.to_numpy(), rel=1e-12)
            assert abs(int(found.iterations[s]) - one.iterations) <= 1
    # Columns of another layout and type are converted.
    whole = tropic.pagerank_batch(a, preferences.astype("int64").T.copy().T, iterations=4)
    assert whole.iterations.tolist() == [4, 4, 4]
    assert tropic.pagerank_batch(a, np.zeros((60, 0))).rank.shape == (60, 0)
    with pytest.raises(tropic.UsageError, match="1 dimensions"):
        tropic.pagerank_batch(a, preferences[:, 0])
    with pytest.raises(tropic.UsageError, match="preferences of 59 vertices"):
        tropic.pagerank_batch(a, preferences[1:])
    preferences[:, 1] = 0
    with pytest.raises(tropic.UsageError, match="column 1"):
        tropic.pagerank_batch(a, preferences)


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


@pytest.fixture(scope="module")
def undirected(graph):
    """The same graph without directions; of two weights the smaller one."""
    g = nx.Graph()
    g.add_nodes_from(range(60))
    for i, j, weight in graph[0].edges.data("weight"):
        if not g.has_edge(i, j) or weight < g[i][j]["weight"]:
            g.add_edge(i, j, weight=weight)
    a = graph[1].ewise_add(graph[1].transpose(), "minimum")
    a.assume_symmetric()
    return g, a


def test_strong_components(graph):
    parts = list(nx.strongly_connected_components(graph[0]))
    found = tropic.strong_components(graph[1])
    assert found.components == len(parts) > 1
    for part in parts:
        assert {found.label[v] for v in part} == {min(part)}
    assert tropic.strong_components(tropic.grid(4)).components == 1


def test_core_numbers(graph, undirected):
    expected = nx.core_number(undirected[0])
    for a in (graph[1], undirected[1]):
        found = tropic.core_numbers(a)
        assert dict(found.core.items()) == expected and found.core.dtype == np.int64
        assert found.degeneracy == max(expected.values()) and found.rounds > 0
    assert tropic.core_numbers(tropic.Matrix(3, 3)).core.to_numpy().tolist() == [0, 0, 0]


def test_local_clustering(graph, undirected):
    assert dict(tropic.local_clustering(undirected[1]).items()) == pytest.approx(nx.clustering(undirected[0]))
    g, a = graph
    found = tropic.local_clustering(a)
    assert found.dtype == np.float64 and len(found) == 60
    for v in g:
        near = set(undirected[0][v])
        links = sum(w in near for u in near for w in g[u])
        assert found[v] == pytest.approx(links / (len(near) * (len(near) - 1)) if len(near) > 1 else 0)


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_k_truss(k):
    g = nx.karate_club_graph()
    expected = nx.k_truss(g, k)
    found = tropic.k_truss(tropic.Matrix.from_scipy(nx.to_scipy_sparse_array(g, dtype=float)), k)
    assert found.edges == expected.number_of_edges() and found.support.dtype == np.uint32
    support = {(i, j): len(set(expected[i]) & set(expected[j])) for i, j in expected.edges}
    i, j, triangles = found.support.to_coo()
    assert dict(zip(zip(i.tolist(), j.tolist()), triangles.tolist())) == {
        edge: n for (i, j), n in support.items() for edge in ((i, j), (j, i))
    }


def test_independent_sets_and_colorings(graph, undirected):
    g = undirected[0]
    for seed in (0, 7, 2**64 - 1):
        found = tropic.maximal_independent_set(graph[1], seed=seed)
        members = {v for v, of in found.members.items() if of}
        assert found.size == len(members)
        for v in g:  # a member has no neighbour in the set, another vertex has one
            assert (v in members) != any(u in members for u in g[v])
        assert found == tropic.maximal_independent_set(undirected[1], seed=seed)
        coloring = tropic.greedy_coloring(graph[1], seed=seed)
        color = dict(coloring.color.items())
        assert len(color) == 60 and set(color.values()) == set(range(coloring.colors))
        assert all(color[u] != color[v] for u, v in g.edges)
        for v in g:  # the smallest colour that is free
            assert set(range(color[v])) <= {color[u] for u in g[v]}
    for function in (tropic.maximal_independent_set, tropic.greedy_coloring):
        assert function(graph[1], seed=1)[0] != function(graph[1], seed=2)[0]
        for seed in (-1, 2**64):
            with pytest.raises(tropic.UsageError, match=f"seed is {seed}"):
                function(graph[1], seed=seed)


def test_minimum_spanning_forest(graph, undirected):
    g = undirected[0]
    tree = nx.minimum_spanning_tree(g)
    for a in (graph[1], undirected[1].astype("float64")):
        found = tropic.minimum_spanning_forest(a)
        i, j, weight = found.forest.to_coo()
        assert found.forest.dtype == a.dtype and (i < j).all()
        assert found.edges == len(i) == tree.number_of_edges()
        assert found.weight == weight.sum() == tree.size("weight")
        assert found.trees == nx.number_connected_components(g)
        assert all(g[u][v]["weight"] == w for u, v, w in zip(i.tolist(), j.tolist(), weight.tolist()))
        links = nx.Graph(zip(i.tolist(), j.tolist()))
        assert nx.is_forest(links)
    with pytest.raises(tropic.UsageError, match="NaN"):
        tropic.minimum_spanning_forest(tropic.Matrix.from_entries([0], [1], [np.nan], (2, 2)))


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("endpoints", [True, False])
def test_betweenness(graph, undirected, normalized, endpoints):
    options = {"normalized": normalized, "endpoints": endpoints}
    for g, a in (graph, undirected):
        found = tropic.betweenness(a, **options)
        assert found.sources == 60 and found.by_logarithms == 0
        expected = nx.betweenness_centrality(g, **options)
        assert dict(found.centrality.items()) == pytest.approx(expected)
        some = random.Random(5).sample(list(g), 10)
        found = tropic.betweenness(a, sources=some, **options)
        assert found.sources == 10
        expected = nx.betweenness_centrality(g, k=10, seed=5, **options)
        assert dict(found.centrality.items()) == pytest.approx(expected)
    pairs = [tropic.betweenness(undirected[1], directed=d, **options).centrality.reduce() for d in (True, False)]
    assert pairs[0] == pytest.approx(pairs[1] * (1 if normalized else 2))


def test_betweenness_refuses_sources(graph):
    for sources, message in [([60], "source 60"), ([-1], "source -1"), ([1, 2, 1], "source 1 is listed twice")]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.betweenness(graph[1], sources=sources)
    with pytest.raises(TypeError):
        tropic.betweenness(graph[1], sources=[0.5])


def test_closeness(graph, undirected):
    for g, a in (graph, undirected):
        for improved in (True, False):
            found = tropic.closeness(a, wf_improved=improved)
            assert dict(found.items()) == pytest.approx(nx.closeness_centrality(g, wf_improved=improved))
    assert tropic.closeness(tropic.Matrix(2, 2)).to_numpy().tolist() == [0, 0]


@pytest.mark.parametrize("weighted", [True, False])
def test_centralities_by_iteration(graph, undirected, weighted):
    weight = "weight" if weighted else None
    for g, a in (graph, undirected):
        expected = nx.eigenvector_centrality(g, max_iter=1000, tol=1e-10, weight=weight)
        found = tropic.eigenvector_centrality(a, max_iterations=1000, tolerance=1e-10, weighted=weighted)
        assert dict(found.centrality.items()) == pytest.approx(expected, abs=1e-7) and found.iterations > 1
        for normalized in (True, False):
            expected = nx.katz_centrality(g, 0.01, 2.0, tol=1e-10, weight=weight, normalized=normalized)
            found = tropic.katz_centrality(a, alpha=0.01, beta=2, tolerance=1e-10, weighted=weighted,
                                           normalized=normalized)
            assert dict(found.centrality.items()) == pytest.approx(expected, abs=1e-7)
        plain = g if weighted else g.__class__(g.edges)
        hubs, authorities = nx.hits(plain, max_iter=1000, tol=1e-12)
        hits = tropic.hits(a, max_iterations=1000, tolerance=1e-12, weighted=weighted)
        assert {v: hits.hubs[v] for v in hubs} == pytest.approx(hubs, abs=1e-7)
        assert {v: hits.authorities[v] for v in authorities} == pytest.approx(authorities, abs=1e-7)
        assert tropic.hits(a, max_iterations=1000, normalized=False).hubs.reduce("maximum") == 1


def test_centralities_by_iteration_refuse_and_give_up(graph):
    a = graph[1]
    for function in (tropic.eigenvector_centrality, tropic.katz_centrality, tropic.hits):
        with pytest.raises(tropic.NoConvergence, match="no convergence in 1 iterations"):
            function(a, max_iterations=1)
        with pytest.raises(tropic.UsageError, match="tolerance"):
            function(a, tolerance=-1)
        with pytest.raises(tropic.UsageError, match="weights must not be negative"):
            function(a.apply("negate"), weighted=True)
        assert function(a.apply("negate"), tolerance=1e-4, max_iterations=1000,
                        **({"alpha": 0.01} if function is tropic.katz_centrality else {}))
    with pytest.raises(tropic.UsageError, match="alpha -1"):
        tropic.katz_centrality(a, alpha=-1)


def test_label_propagation(graph, undirected):
    for g, a in (graph, undirected):
        label = {v: v for v in g}
        for iterations in range(4):
            found = tropic.label_propagation(a, iterations=iterations)
            assert dict(found.label.items()) == label and found.labels == len(set(label.values()))
            assert found.iterations <= iterations
            seen = {v: Counter(label[u] for u in nx.all_neighbors(g, v)) for v in g}
            label = {v: min(n, key=lambda one: (-n[one], one)) if n else label[v] for v, n in seen.items()}
    with pytest.raises(tropic.UsageError, match="-1 iterations"):
        tropic.label_propagation(graph[1], iterations=-1)


def communities_of(vector):
    parts = {}
    for v, label in vector.items():
        parts.setdefault(label, set()).add(v)
    return parts


@pytest.mark.parametrize("resolution", [0.5, 1, 2])
@pytest.mark.parametrize("weighted", [True, False])
def test_louvain_and_modularity(graph, undirected, resolution, weighted):
    options = {"resolution": resolution, "weighted": weighted}
    of = {"resolution": resolution, "weight": "weight" if weighted else None}
    g, a = undirected
    found = tropic.louvain(a, **options)
    parts = communities_of(found.community)
    assert found.communities == len(parts) and found.levels > 0
    assert all(label == min(part) for label, part in parts.items())
    assert found.modularity == pytest.approx(nx.community.modularity(g, parts.values(), **of))
    assert found.modularity > nx.community.modularity(g, [{v} for v in g], **of)
    for g, a in (graph, undirected):
        halves = tropic.Vector.from_array(np.arange(60) % 2)
        expected = nx.community.modularity(g, communities_of(halves).values(), **of)
        assert tropic.modularity(a, halves, **options) == pytest.approx(expected)


def test_louvain_finds_cliques_and_refuses():
    g = nx.ring_of_cliques(6, 5)
    a = tropic.Matrix.from_scipy(nx.to_scipy_sparse_array(g, dtype=float))
    a.assume_symmetric()
    found = tropic.louvain(a)
    assert found.community.to_numpy().tolist() == [v // 5 * 5 for v in range(30)]
    for function in (tropic.louvain, lambda a, **options: tropic.modularity(a, found.community, **options)):
        with pytest.raises(tropic.UsageError, match="resolution -1"):
            function(a, resolution=-1)
        with pytest.raises(tropic.UsageError, match="weights must not be negative"):
            function(a.apply("negate"), weighted=True)
    for bad, message in [
        (found.community.astype("float64"), "communities hold fp64, needed int64"),
        (tropic.Vector.full(30, 30), "community 30"),
        (tropic.Vector.from_entries([0], [0], 30), "1 communities of 30 positions"),
    ]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.modularity(a, bad)
    with pytest.raises(TypeError, match="needed a Vector"):
        tropic.modularity(a, [0] * 30)


def test_leiden(undirected):
    g, a = undirected
    found = tropic.leiden(a, resolution=0.5, weighted=True)
    parts = communities_of(found.community)
    assert found.communities == len(parts) and 1 <= found.iterations <= 10
    assert all(nx.is_connected(g.subgraph(part)) for part in parts.values())
    assert found.modularity == pytest.approx(
        nx.community.modularity(g, parts.values(), weight="weight", resolution=0.5))
    with pytest.raises(tropic.UsageError, match="iteration"):
        tropic.leiden(a, iterations=0)


def test_diameter():
    g = nx.karate_club_graph()
    a = tropic.Matrix.from_scipy(nx.to_scipy_sparse_array(g, dtype=float))
    found = tropic.diameter(a, exact=True)
    assert found.lower == found.upper == nx.diameter(g)
    assert nx.shortest_path_length(g, found.source, found.target) == found.lower
    bounds = tropic.diameter(a)
    assert bounds.lower <= nx.diameter(g) <= bounds.upper
    assert tropic.diameter(tropic.Matrix(0, 0))[:4] == (0, 0, -1, -1)


def test_bfs_batch(graph):
    _, a = graph
    sources = [5, 0, 5, 59]
    found = tropic.bfs_batch(a, np.array(sources))
    assert found.level.dtype == found.parent.dtype == np.int64 and found.level.shape == (60, 4)
    for s, source in enumerate(sources):
        one = tropic.bfs(a, source)
        assert found.level[:, s].tolist() == one.level.to_numpy(missing=-1).tolist()
        assert found.parent[:, s].tolist() == one.parent.to_numpy(missing=-1).tolist()
    assert tropic.bfs_batch(a, []).level.shape == (60, 0)
    with pytest.raises(tropic.UsageError, match="60"):
        tropic.bfs_batch(a, [1, 60])
    with pytest.raises(TypeError, match="integer"):
        tropic.bfs_batch(a, [0.5])


def test_shortest_paths_between(graph):
    _, a = graph
    sources, targets = [0, 3, 0, 7, 7], [9, 3, 59, 1, 2]
    found = tropic.shortest_paths_between(a, sources, np.array(targets))
    lengths = {s: dict(tropic.shortest_paths(a, s).distance.items()) for s in sources}
    expected = [lengths[s].get(t) for s, t in zip(sources, targets)]
    distances = dict(found.distance.items())
    assert [distances.get(k) for k in range(5)] == expected and expected[1] == 0
    assert found.searches == 3 and found.saturated == 0
    assert tropic.shortest_paths_between(a, sources, targets, dtype="float32").distance.dtype == np.float32
    assert tropic.shortest_paths_between(a, [], []).distance.size == 0
    for sources, targets, message in [([0], [60], "60"), ([0, 1], [2], "2")]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.shortest_paths_between(a, sources, targets)
    loop = tropic.Matrix.from_entries([0, 1], [1, 0], [-1.0, -1.0], (2, 2))
    with pytest.raises(tropic.NegativeCycle):
        tropic.shortest_paths_between(loop, [0], [1])


def test_similarity():
    g = nx.karate_club_graph()
    a = tropic.Matrix.from_scipy(nx.to_scipy_sparse_array(g, dtype=float))
    pairs = [(u, v) for u in g for v in g if u < v]
    sources, targets = zip(*pairs)
    jaccard = tropic.similarity(a, sources, np.array(targets)).to_numpy()
    expected = [p for _, _, p in nx.jaccard_coefficient(g, pairs)]
    assert jaccard.tolist() == pytest.approx(expected)
    overlap = tropic.similarity(a, sources, targets, measure="overlap").to_numpy()
    cosine = tropic.similarity(a, sources, targets, measure="cosine").to_numpy()
    for n, (u, v) in enumerate(pairs):
        shared = len(list(nx.common_neighbors(g, u, v)))
        assert overlap[n] == pytest.approx(shared / min(g.degree(u), g.degree(v)))
        assert cosine[n] == pytest.approx(shared / (g.degree(u) * g.degree(v)) ** 0.5)
    i, j, value = tropic.similar_pairs(a, threshold=0.25).to_coo()
    large = {(u, v): p for (u, v), p in zip(pairs, expected) if p >= 0.25}
    assert dict(zip(zip(i.tolist(), j.tolist()), value.tolist())) == pytest.approx(
        {**large, **{(v, u): p for (u, v), p in large.items()}})
    assert tropic.similar_pairs(a, measure="cosine", top=2).nvals <= 2 * len(g)
    for bad, message in [({"measure": "dice"}, "'dice', needed jaccard"), ({"top": -1}, "top"),
                         ({"threshold": -1}, "threshold")]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.similar_pairs(a, **bad)
    for sources, targets, message in [([0], [34], "34"), ([0, 1], [2], "2")]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.similarity(a, sources, targets)
    with pytest.raises(TypeError, match="integer"):
        tropic.similarity(a, [1.5], [2])


ON_SQUARE_MATRICES = {
    "strong_components": {}, "core_numbers": {}, "local_clustering": {}, "k_truss": {"k": 3},
    "maximal_independent_set": {}, "greedy_coloring": {}, "minimum_spanning_forest": {}, "betweenness": {},
    "closeness": {}, "eigenvector_centrality": {}, "katz_centrality": {}, "hits": {}, "label_propagation": {},
    "louvain": {}, "leiden": {}, "diameter": {}, "similarity": {"sources": [0], "targets": [1]},
    "bfs_batch": {"sources": [0]}, "shortest_paths_between": {"sources": [0], "targets": [1]},
    "similar_pairs": {}, "modularity": {"community": tropic.Vector.full(3, 0)},
}


@pytest.mark.parametrize("name", ON_SQUARE_MATRICES)
def test_a_graph_is_a_square_matrix(name):
    function, options = getattr(tropic, name), ON_SQUARE_MATRICES[name]
    with pytest.raises(tropic.UsageError, match="matrix is square, this one is 3x4"):
        function(tropic.Matrix(3, 4), **options)
    with pytest.raises(TypeError, match="a graph is a Matrix, found a Transposed"):
        function(tropic.Matrix(3, 3).T, **options)


def test_arguments_are_checked(graph):
    _, a = graph
    with pytest.raises(tropic.UsageError, match="60"):
        tropic.bfs(a, 60)
    with pytest.raises(tropic.UsageError):
        tropic.bfs(tropic.Matrix(3, 4), 0)
    with pytest.raises(tropic.UsageError, match="k is 2, expected 3 or more"):
        tropic.k_truss(a, 2)
    with pytest.raises(TypeError, match="a graph is a Matrix"):
        tropic.bfs(a.T, 0)
    with pytest.raises(TypeError, match="needed a Vector"):
        tropic.pagerank(a, preference=[1.0] * 60)
