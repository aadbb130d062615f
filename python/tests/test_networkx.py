# SPDX-License-Identifier: Apache-2.0
"""The backend against NetworkX's own functions."""

from fractions import Fraction

import networkx as nx
import pytest

from tropic import _networkx, _networkx_graph, _networkx_info


def graphs():
    """Graphs of every kind, with loops, parallel edges, isolated nodes and labels of all sorts."""
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        g = nx.gnm_random_graph(40, 70, seed=2, directed=kind().is_directed())
        g = kind(nx.relabel_nodes(g, {n: f"n{n}" if n % 3 else (n, "t") for n in g}))
        for number, (u, v) in enumerate(list(g.edges())):
            if number % 5:
                for data in g[u][v].values() if g.is_multigraph() else [g[u][v]]:
                    data["weight"] = number % 7
        g.add_node("alone")
        g.add_edge("n1", "n1", weight=3)
        if g.is_multigraph():
            u, v = next(iter(g.edges()))
            g.add_edge(u, v, weight=1)
            g.add_edge(u, v)
        yield pytest.param(g, id=kind.__name__)
    yield pytest.param(nx.Graph(), id="empty")


every_graph = pytest.mark.parametrize("g", list(graphs()))


def outcome(function, *arguments, **options):
    """The result, or the class of the exception, of NetworkX or of the backend."""
    try:
        result = function(*arguments, **options)
        return list(result) if hasattr(result, "__next__") else result
    except Exception as error:
        return type(error)


def agrees(function, g, *arguments, **options):
    expected = outcome(function, g, *arguments, **options)
    found = outcome(function, g, *arguments, backend="tropic", **options)
    if isinstance(expected, float) or (isinstance(expected, dict) and expected and
                                       isinstance(next(iter(expected.values())), float)):
        assert found == pytest.approx(expected, abs=1e-8)  # PageRank iterates from another start
    else:
        assert found == expected and type(found) is type(expected)


def test_what_is_offered_is_what_there_is():
    info = _networkx_info.backend_info()
    assert info["backend_name"] == "tropic" in nx.config.backends
    for name in info["functions"]:
        assert callable(getattr(_networkx.dispatcher, name))
        assert "tropic" in getattr(nx, name, getattr(nx.community, name, None)).backends


@every_graph
def test_searches(g):
    for source in [*list(g)[:4], "alone", "absent", ["no hash"]]:
        for function in (nx.single_source_shortest_path_length, nx.single_target_shortest_path_length):
            agrees(function, g, source)
            for cutoff in (2, 1.5, 0, -1, float("inf")):
                agrees(function, g, source, cutoff=cutoff)
        agrees(nx.descendants, g, source)
        agrees(nx.ancestors, g, source)
        for distance in (0, 1, 3, 1.5, -1, float("inf"), "far"):
            agrees(nx.descendants_at_distance, g, source, distance)


@every_graph
def test_shortest_paths(g):
    for source in [*list(g)[:4], "absent"]:
        for weight in ("weight", "missing"):
            agrees(nx.single_source_dijkstra_path_length, g, source, weight=weight)
            agrees(nx.single_source_bellman_ford_path_length, g, source, weight=weight)
        for cutoff in (5, 4.5, 0, -1, float("inf"), float("nan"), Fraction(9, 2), 10**400, -10**400):
            agrees(nx.single_source_dijkstra_path_length, g, source, cutoff=cutoff)


@every_graph
def test_searches_from_everywhere(g):
    agrees(nx.all_pairs_shortest_path_length, g)
    for cutoff in (0, 2, 2.5, -1):
        agrees(nx.all_pairs_shortest_path_length, g, cutoff)
        agrees(nx.all_pairs_dijkstra_path_length, g, cutoff, None)
    for weight in ("weight", "missing", None):
        agrees(nx.all_pairs_dijkstra_path_length, g, weight=weight)
        agrees(nx.all_pairs_dijkstra_path_length, g, cutoff=4, weight=weight)
        agrees(nx.all_pairs_bellman_ford_path_length, g, weight=weight)
    lengths = nx.all_pairs_shortest_path_length(g, backend="tropic")
    assert hasattr(lengths, "__next__") and [source for source, _ in lengths] == list(g)


def message(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except Exception as error:
        return str(error)
    return None


@every_graph
def test_paths_between_nodes(g):
    nodes = [*list(g)[:4], "alone", "absent"]
    for source in nodes:
        for target in nodes:
            agrees(nx.has_path, g, source, target)
            for call, options in [
                (nx.shortest_path_length, {}), (nx.shortest_path_length, {"weight": "weight"}),
                (nx.shortest_path_length, {"weight": "weight", "method": "bellman-ford"}),
                (nx.dijkstra_path_length, {}), (nx.dijkstra_path_length, {"weight": None}),
                (nx.bellman_ford_path_length, {}), (nx.bellman_ford_path_length, {"weight": None}),
            ]:
                agrees(call, g, source, target, **options)
                assert message(call, g, source, target, backend="tropic", **options) == message(
                    call, g, source, target, **options)
    agrees(nx.shortest_path_length, g, ["no hash"], "n1")
    agrees(nx.has_path, g, "n1", ["no hash"])


@every_graph
def test_lengths_of_paths_of_all_kinds(g):
    for options in ({}, {"weight": "weight"}, {"weight": "weight", "method": "bellman-ford"},
                    {"weight": "missing"}, {"method": "no such"}):
        agrees(nx.shortest_path_length, g, **options)
        for node in [*list(g)[:3], "alone", "absent"]:
            agrees(nx.shortest_path_length, g, source=node, **options)
            agrees(nx.shortest_path_length, g, target=node, **options)
            assert message(nx.shortest_path_length, g, target=node, backend="tropic", **options) == message(
                nx.shortest_path_length, g, target=node, **options)


def test_lengths_of_paths_leave_weights_to_networkx_before_the_first_result():
    g = nx.path_graph(3, create_using=nx.DiGraph)
    for weight, words in ((-1, "negative weights"), (2**62, "64 bits"), (float("nan"), "negative weights|finite"),
                          (float("inf"), "not finite"), ("three", "64 bits or floats")):
        g.add_edge(0, 1, weight=weight)
        converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
        with pytest.raises(NotImplementedError, match=words):
            _networkx.all_pairs_dijkstra_path_length(converted)
    g.add_edge(1, 0, weight=-5)
    g.add_edge(0, 1, weight=1)
    for call in (nx.all_pairs_bellman_ford_path_length, lambda g, **options: nx.shortest_path_length(
            g, 0, 2, "weight", "bellman-ford", **options)):
        assert outcome(call, g, backend="tropic") is outcome(call, g) is nx.NetworkXUnbounded


def partitions(g):
    nodes = list(g)
    yield [set(nodes)]
    yield [{node} for node in nodes]
    yield [set(nodes[::2]), set(), set(nodes[1::2])]
    yield tuple(frozenset(nodes[n::3]) for n in range(3))


@every_graph
@pytest.mark.parametrize("weight", ["weight", "missing", None])
def test_modularity(g, weight):
    for parts in partitions(g):
        for resolution in (1, 0.5):
            agrees(nx.community.modularity, g, parts, weight=weight, resolution=resolution)
    if len(g):
        nodes = list(g)
        once = nx.community.modularity(g, iter([set(g)]), weight=weight, backend="tropic")
        assert once == pytest.approx(nx.community.modularity(g, [set(g)], weight=weight))
        for wrong in ([set(nodes[1:])], [set(nodes), {nodes[0]}], [{*nodes, "absent"}]):
            agrees(nx.community.modularity, g, wrong)


def test_modularity_leaves_negative_weights_to_networkx():
    g = nx.complete_graph(4)
    g[0][1]["weight"] = -1
    converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
    with pytest.raises(NotImplementedError, match="negative weights"):
        _networkx.modularity(converted, [{0, 1}, {2, 3}])
    agrees(nx.community.modularity, nx.empty_graph(3), [{0, 1, 2}])  # no edge: a division by zero
    # An iterator is not used up before NetworkX takes over.
    with nx.config(backend_priority=["tropic"], fallback_to_nx=True):
        assert nx.community.modularity(g, iter([{0, 1}, {2, 3}])) == pytest.approx(
            nx.community.modularity(g, [{0, 1}, {2, 3}], backend="networkx"))


def test_large_weights():
    heavy = nx.path_graph(3)
    nx.set_edge_attributes(heavy, 2**62, "weight")
    agrees(nx.community.modularity, heavy, [{0, 1}, {2}])
    for weights in ([2**63 + 5], [2**63 + 5, 2**53 + 1]):
        g = nx.path_graph(len(weights) + 1, create_using=nx.DiGraph)
        for edge, weight in zip(g.edges, weights):
            g.edges[edge]["weight"] = weight
        converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
        with pytest.raises(NotImplementedError, match="int64|64 bits"):
            _networkx.bellman_ford_path_length(converted, 0, len(weights))
    g = nx.path_graph(3)
    nx.set_edge_attributes(g, 1e308, "weight")
    converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
    with pytest.raises(NotImplementedError, match="may not be finite"):
        _networkx.all_pairs_dijkstra_path_length(converted)


@every_graph
def test_jaccard_coefficient(g):
    agrees(nx.jaccard_coefficient, type(g)())
    if g.is_directed() or g.is_multigraph():
        assert outcome(nx.jaccard_coefficient, g, backend="tropic") is nx.NetworkXNotImplemented
        return
    loopless = g.copy()
    loopless.remove_edges_from(list(nx.selfloop_edges(g)))
    agrees(nx.jaccard_coefficient, loopless)
    nodes = list(loopless)
    pairs = [(u, v) for u in nodes[:6] for v in nodes[:6]] + [("alone", n) for n in nodes[:1]]
    agrees(nx.jaccard_coefficient, loopless, pairs)
    agrees(nx.jaccard_coefficient, loopless, [])
    agrees(nx.jaccard_coefficient, loopless, [("absent", "n1")])
    if len(g):
        with pytest.raises(NotImplementedError, match="loops"):
            _networkx.jaccard_coefficient(_networkx.convert_from_nx(g))


@every_graph
@pytest.mark.parametrize("weight", ["weight", None])
def test_pagerank(g, weight):
    agrees(nx.pagerank, g, weight=weight, tol=1e-10)
    agrees(nx.pagerank, g, alpha=0.5, weight=weight, personalization={"n1": 2, "alone": 1}, tol=1e-12)
    agrees(nx.pagerank, g, weight=weight, personalization={"n1": 0})
    agrees(nx.pagerank, g, weight=weight, max_iter=2)


@every_graph
def test_components(g):
    for function in (nx.connected_components, nx.number_connected_components, nx.is_connected,
                     nx.weakly_connected_components, nx.number_weakly_connected_components,
                     nx.is_weakly_connected):
        agrees(function, g)
    for node in [*list(g)[:3], "alone", "absent"]:
        agrees(nx.node_connected_component, g, node)


@every_graph
def test_strong_components(g):
    for function in (nx.number_strongly_connected_components, nx.is_strongly_connected):
        agrees(function, g)
    if g.is_directed():
        found = list(nx.strongly_connected_components(g, backend="tropic"))
        assert {frozenset(part) for part in found} == {
            frozenset(part) for part in nx.strongly_connected_components(g)
        }
        place = {node: number for number, node in enumerate(g)}
        firsts = [min(place[node] for node in part) for part in found]
        assert firsts == sorted(firsts)
        ring = nx.cycle_graph(5, create_using=type(g))
        agrees(nx.is_strongly_connected, ring)
        agrees(nx.number_strongly_connected_components, ring)


@every_graph
def test_core_numbers(g):
    if not g.is_directed():
        agrees(nx.core_number, g)  # an error because of the loop
        loopless = g.copy()
        loopless.remove_edges_from(list(nx.selfloop_edges(g)))
        agrees(nx.core_number, loopless)


@every_graph
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("endpoints", [True, False])
def test_betweenness(g, normalized, endpoints):
    agrees(nx.betweenness_centrality, g, normalized=normalized, endpoints=endpoints)
    agrees(nx.betweenness_centrality, type(g)([(0, 1)]), normalized=normalized, endpoints=endpoints)


@every_graph
@pytest.mark.parametrize("wf_improved", [True, False])
def test_closeness(g, wf_improved):
    agrees(nx.closeness_centrality, g, wf_improved=wf_improved)
    for node in [*list(g)[:4], "alone", "absent", ["no hash"]]:
        agrees(nx.closeness_centrality, g, node, wf_improved=wf_improved)


@every_graph
@pytest.mark.parametrize("weight", ["weight", None])
def test_centralities_by_iteration(g, weight):
    agrees(nx.eigenvector_centrality, g, max_iter=2000, tol=1e-9, weight=weight)
    agrees(nx.eigenvector_centrality, g, max_iter=2, weight=weight)
    for normalized in (True, False):
        agrees(nx.katz_centrality, g, 0.01, 2, tol=1e-10, weight=weight, normalized=normalized)
    agrees(nx.katz_centrality, g, 2.0, max_iter=50, weight=weight)


@every_graph
def test_hits(g):
    if len(g) == 0:
        agrees(nx.hits, g)
        return
    for graph in (g, nx.convert_node_labels_to_integers(g)):
        # By power iteration from NetworkX 3.7 on.
        expected = nx.hits(graph, tol=1e-12, max_iter=5000)
        found = nx.hits(graph, tol=1e-12, max_iter=5000, backend="tropic")
        for ours, theirs in zip(found, expected):
            assert list(ours) == list(theirs) and ours == pytest.approx(theirs, abs=1e-7)
    agrees(nx.hits, g, max_iter=0)
    for refused in (nx.empty_graph(5), nx.path_graph(2)):
        with pytest.raises(NotImplementedError, match="fewer than 3 nodes, or no weight"):
            _networkx.hits(_networkx.convert_from_nx(refused, edge_attrs={"weight": 1}))


def test_arguments_of_later_versions_of_networkx():
    g = nx.karate_club_graph()
    converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
    for method in ("power_iteration", "svd"):
        ours = _networkx.hits(converted, tol=1e-12, max_iter=5000, method=method)
        for found, theirs in zip(ours, nx.hits(g, tol=1e-12, max_iter=5000)):
            assert found == pytest.approx(theirs, abs=1e-7)
    with pytest.raises(NotImplementedError, match="no convergence in 2 iterations"):
        _networkx.hits(converted, max_iter=2, method="power_iteration")
    with pytest.raises(ValueError, match="method not supported: other"):
        _networkx.hits(converted, method="other")
    can_run = _networkx.dispatcher.can_run
    assert can_run("closeness_centrality", (g, ), {"sp": None}) is True
    assert can_run("closeness_centrality", (g, ), {"sp": {}}) == "sp is given"


def test_centralities_leave_negative_weights_to_networkx():
    g = nx.complete_graph(4)
    g[0][1]["weight"] = -1
    converted = _networkx.convert_from_nx(g, edge_attrs={"weight": 1})
    for function, options in [(_networkx.hits, {}), (_networkx.eigenvector_centrality, {"weight": "weight"}),
                              (_networkx.katz_centrality, {"weight": "weight"})]:
        with pytest.raises(NotImplementedError, match="weights must not be negative"):
            function(converted, **options)


@every_graph
def test_triangles(g):
    for function in (nx.triangles, nx.clustering, nx.transitivity):
        if not g.is_directed() and not (g.is_multigraph() and function is not nx.triangles):
            agrees(function, g)
    if type(g) is nx.Graph:
        agrees(nx.triangles, g, "n1")
        agrees(nx.triangles, g, ["n1", "alone"])
        agrees(nx.average_clustering, g)
        agrees(nx.average_clustering, g, count_zeros=False)
        agrees(nx.average_clustering, g, ["n1", "alone"])
        agrees(nx.clustering, g, "n1")


def test_weights_of_real_numbers_and_below_zero():
    g = nx.DiGraph()
    g.add_weighted_edges_from([(0, 1, 2.5), (1, 2, -1.0), (0, 2, 2)])
    agrees(nx.single_source_bellman_ford_path_length, g, 0)
    with pytest.raises(NotImplementedError, match="negative weights"):
        _networkx.single_source_dijkstra_path_length(_networkx.convert_from_nx(g, edge_attrs={"weight": 1}), 0)
    g.add_edge(2, 0, weight=-5)
    with pytest.raises(nx.NetworkXUnbounded):
        nx.single_source_bellman_ford_path_length(g, 0, backend="tropic")
    g.add_edge(2, 0, weight=2**70)
    with pytest.raises(NotImplementedError, match="64 bits"):
        _networkx.single_source_bellman_ford_path_length(
            _networkx.convert_from_nx(g, edge_attrs={"weight": 1}), 0
        )


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_views_of_graphs(kind):
    g = kind(nx.gnm_random_graph(20, 60, seed=4, directed=kind().is_directed()))
    if g.is_multigraph():
        g.add_edges_from(list(g.edges())[::2])
    edges = [edge for number, edge in enumerate(g.edges(keys=True) if g.is_multigraph() else g.edges) if number % 3]
    views = [g.edge_subgraph(edges), g.subgraph(list(range(12))), nx.restricted_view(g, [3], [])]
    if g.is_directed():
        views += [g.reverse(copy=False), g.to_undirected(as_view=True)]
    for view in views:
        agrees(nx.single_source_shortest_path_length, view, next(iter(view)))
        agrees(nx.pagerank, view, tol=1e-10)
        agrees(nx.number_weakly_connected_components if view.is_directed() else nx.number_connected_components, view)
        agrees(nx.betweenness_centrality, view)


def test_classes_that_compute_their_neighbours():
    from networkx.algorithms.approximation.kcomponents import _AntiGraph

    complement = _AntiGraph(nx.path_graph(7))
    agrees(nx.core_number, complement)
    agrees(nx.number_connected_components, complement)
    assert nx.core_number(complement, backend="tropic") == nx.core_number(nx.complement(nx.path_graph(7)))


def test_can_run_gives_its_reasons():
    g = nx.path_graph(3)
    for name, arguments, reason in [
        ("pagerank", {"nstart": {0: 1}}, "nstart"),
        ("pagerank", {"dangling": {0: 1}}, "dangling"),
        ("single_source_dijkstra_path_length", {"source": 0, "weight": len}, "function"),
        ("shortest_path_length", {"weight": len}, "function"),
        ("all_pairs_dijkstra_path_length", {"weight": len}, "function"),
        ("dijkstra_path_length", {"source": 0, "target": 1, "weight": len}, "function"),
        ("has_path", {"source": None, "target": 1}, "None"),
        ("clustering", {"weight": "weight"}, "weighted"),
        ("betweenness_centrality", {"k": 2}, "sample"),
        ("betweenness_centrality", {"weight": "weight"}, "weights"),
        ("closeness_centrality", {"distance": "weight"}, "weights"),
        ("eigenvector_centrality", {"nstart": {0: 1}}, "nstart"),
        ("katz_centrality", {"beta": {0: 1}}, "beta"),
        ("hits", {"nstart": {0: 1}}, "nstart"),
        ("hits", {"normalized": False}, "sign"),
    ]:
        assert reason in _networkx.can_run(name, (g,), arguments)
    assert "directed" in _networkx.can_run("transitivity", (nx.DiGraph(g),), {})
    assert "both degrees" in _networkx.can_run("core_number", (nx.DiGraph(g),), {})
    for name in ("core_number", "betweenness_centrality", "closeness_centrality", "katz_centrality", "hits"):
        assert _networkx.can_run(name, (g,), {}) is True
    assert "multigraphs" in _networkx.can_run("transitivity", (nx.MultiGraph(g),), {})
    assert _networkx.can_run("pagerank", (g, 0.5), {}) is True
    assert "multigraphs" in _networkx.can_run("triangles", (nx.MultiGraph(g), 0), {})
    assert _networkx.can_run("triangles", (nx.MultiGraph(g),), {}) is True


@pytest.mark.parametrize("weights", [(2, 3), (2, -3)])
def test_a_kept_conversion_with_weights_serves_calls_without(weights):
    g = nx.DiGraph()
    g.add_weighted_edges_from([("a", "b", weights[0]), ("b", "c", weights[1])])
    nx.single_source_bellman_ford_path_length(g, "a", backend="tropic")
    for function in (nx.single_source_dijkstra_path_length,
                     nx.single_source_bellman_ford_path_length):
        agrees(function, g, "a", weight=None)
    for cutoff in (0, 1, 5):
        agrees(nx.single_source_dijkstra_path_length, g, "a", cutoff, weight=None)


def test_the_conversion_is_kept_with_the_graph(monkeypatch):
    g = nx.gnm_random_graph(30, 60, seed=1)
    conversions = []

    class Counted(_networkx_graph.Graph):
        def __init__(self, *arguments):
            conversions.append(1)
            super().__init__(*arguments)

    monkeypatch.setattr(_networkx_graph, "Graph", Counted)
    with nx.config(warnings_to_ignore={"cache"}):
        nx.triangles(g, backend="tropic")
        nx.number_connected_components(g, backend="tropic")
        assert len(conversions) == 1
        g.add_edge(0, 29)
        nx.triangles(g, backend="tropic")
        assert len(conversions) == 2


def test_a_priority_uses_the_backend_where_it_can_run():
    g = nx.path_graph(4)
    with nx.config.backend_priority(algos=["tropic"]):
        assert nx.pagerank(g, nstart={0: 1.0}) == pytest.approx(nx.pagerank(g), abs=1e-5)
        assert nx.single_source_shortest_path_length(g, 0) == {0: 0, 1: 1, 2: 2, 3: 3}
