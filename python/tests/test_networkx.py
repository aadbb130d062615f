# SPDX-License-Identifier: Apache-2.0
"""The backend against NetworkX's own functions."""

import gc
import random
import sys
from collections import OrderedDict
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from conftest import converted_arrays, converts_as_the_general_code
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


# --- the conversion

@every_graph
def test_conversion_with_and_without_weights(g):
    converts_as_the_general_code(g, quick="edges")
    for weight in ("weight", "missing", len):
        for default in (1, 2.5, False):
            converts_as_the_general_code(g, weight, default, quick="weights")
        converts_as_the_general_code(g, weight, None)
    if g.number_of_edges():
        assert converts_as_the_general_code(g, ["no hash"])[0] is TypeError


class Number:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)


class Real(float):
    pass


every_kind = pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])


@every_kind
@pytest.mark.parametrize("weights, quick", [
    ([True, False], "weights"), ([3, True, -4], "weights"), ([1, 2.5, True], "weights"),
    ([2**63 - 1, 1 - 2**63], "weights"), ([float("nan"), float("inf"), -0.0], "weights"),
    ([2**53 + 1, 0.5, 2**63 - 1], "weights"), ([2**63], "edges"), ([-2**63], "edges"), ([-2**63, 0.5], "edges"),
    ([2**64, 1], "edges"), ([2**63, 0.5], "edges"), ([10**400, 0.5], "edges"), ([np.float64(2), 1], "edges"),
    ([np.float32(2), 1], "edges"), ([np.int8(3)], "edges"), ([np.True_, True], "edges"), ([None, 1], "edges"),
    (["three", 1], "edges"), ([[1, 2], [3, 4]], "edges"), ([Number(2), 1], "edges"), ([Real(2), 1], "edges"),
    ([Fraction(1, 3)], "edges"), ([1 + 2j, 1], "edges"),
])
def test_conversion_of_weights_of_all_classes(kind, weights, quick):
    for color in (False, True):  # another attribute before the weight
        g = kind()
        for number, weight in enumerate(weights):
            if color:
                g.add_edge(number, number + 1, color="red")
            g.add_edge(number, number + 1, **({"key": 0} if g.is_multigraph() else {}), weight=weight)
        found = converts_as_the_general_code(g, "weight", quick=quick)
        if isinstance(weights[0], Number):
            assert found[2][0] == object
        g.add_edge("no", "weight")
        converts_as_the_general_code(g, "weight")
    # After many edges with plain weights.
    g = kind(nx.path_graph(300, create_using=kind))
    nx.set_edge_attributes(g, 1.5, "weight")
    g.add_edge(298, 0, weight=weights[0])
    converts_as_the_general_code(g, "weight", quick="weights" if type(weights[0]) in (bool, int, float) and
                                 abs(weights[0]) < 2**63 or weights[0] != weights[0] else "edges")


class Label:
    """Has an equal hash for all, and runs a function when it is compared."""

    def __init__(self, name, run=lambda: None):
        self.name, self.run = name, run

    def __hash__(self):
        return 5

    def __eq__(self, other):
        self.run()
        return isinstance(other, Label) and self.name == other.name


@every_kind
def test_conversion_of_labels_of_all_classes(kind):
    ring = nx.cycle_graph(150, create_using=kind)
    for name in (lambda n: n, lambda n: 149 - n, lambda n: n * 7, lambda n: n - 75, lambda n: n * 2**60, str,
                 lambda n: n / 2, lambda n: (n, "t"), lambda n: frozenset([n]), lambda n: Label(n), np.int64,
                 lambda n: n if n % 2 else str(n), lambda n: n + 0.0):
        g = kind(nx.relabel_nodes(ring, {n: name(n) for n in ring}))
        nx.set_edge_attributes(g, 2, "weight")
        g.add_node("alone")
        converts_as_the_general_code(g, "weight", quick="weights")
    # Labels that are equal to nodes, and not the same objects.
    for labels in ([0, 1, 2, 3], [3, 2, 1, 0], ["a", "b", 1, 0], [1, 10**6, 0, 10**12]):
        g = kind()
        g.add_nodes_from(labels)
        for label in labels:
            for twin in (label, float(label), np.int64(label)) if isinstance(label, int) else (label, label[:1]):
                g.add_edge(twin, 1.0)
                g.add_edge(True, twin)
        converts_as_the_general_code(g, "weight", quick="weights")


@every_kind
def test_conversion_of_neighbours_that_are_no_nodes(kind):
    for labels, absent in ((range(200), [200, -1, 2**70, "absent", 0.5]), ([3, 2, 0], [1, 7]), ("abc", ["d", 1])):
        for one in absent:
            g = kind()
            g.add_nodes_from(labels)
            g._adj[labels[-1]][one] = {0: {}} if g.is_multigraph() else {}
            assert converts_as_the_general_code(g, quick="nothing")[0] is KeyError


class Mapping(dict):
    """A dictionary whose methods hide entries and change numbers."""

    def get(self, key, default=None):
        found = super().get(key, default)
        return 10 * found if isinstance(found, (int, float)) else found

    def values(self):
        return list(super().values())[:1]

    def __iter__(self):
        return iter(list(super().__iter__())[:1])

    def __len__(self):
        return min(1, super().__len__())


def test_conversion_of_graphs_of_other_dictionaries():
    quick = {"node_dict_factory": "weights", "adjlist_outer_dict_factory": "weights",
             "adjlist_inner_dict_factory": "nothing", "edge_attr_dict_factory": "edges", "edge_key_dict_factory": "nothing"}
    for base in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        for name, taken in quick.items():
            if not hasattr(base, name):
                continue
            for factory in (OrderedDict, Mapping):
                if factory is Mapping and name in ("node_dict_factory", "adjlist_outer_dict_factory"):
                    continue
                kind = type("Special", (base, ), {name: factory})
                g = kind()
                g.add_weighted_edges_from([("a", "b", 2), ("b", "c", 3), ("a", "c", 2.5)])
                converts_as_the_general_code(g, "weight", quick=taken)
    hidden = nx.restricted_view(nx.path_graph(5), [1], [])
    assert converts_as_the_general_code(hidden, "weight")[0][1] == (4, )


@every_kind
def test_conversion_while_labels_change_the_graph(kind):
    """Whatever comes out of it, the memory that is read is still there."""
    def remove(row):
        g._adj.pop(row, None)

    def remove_first_edge(row):
        edges = g._adj.get(row) or {None: None}
        edges.pop(next(iter(edges)))

    def add(row):
        g._adj.setdefault(row, {})[len(g._adj)] = {0: {}} if g.is_multigraph() else {}

    def forget_weights(row):
        for edge in (g._adj.get(row) or {}).values():
            edge.clear()

    for change in (remove, remove_first_edge, add, forget_weights, lambda row: g._adj.clear()):
        for first in (0, 40, 400):
            g = kind(nx.gnm_random_graph(50, 300, seed=1, directed=kind().is_directed()))
            g.add_edges_from((0, n) for n in range(400))  # more than are read at once
            nx.set_edge_attributes(g, 1000.5, "weight")
            rows, seen = [], []

            def run():
                seen.append(1)
                if rows and len(seen) > first:
                    change(rows.pop())
                    gc.collect(0)

            label = Label("one", run)
            g.add_edges_from((n, label) for n in range(0, 50, 3))
            for n in range(0, 50, 3):  # equal labels that are compared
                row = g._adj[n]
                row[Label("one", run)] = row.pop(label)
            rows[:] = list(g)
            random.Random(first).shuffle(rows)
            seen.clear()
            for weight in ("weight", None):
                converted_arrays(g, weight)
            assert seen


def test_conversion_passes_on_exceptions_of_labels():
    def refuse():
        raise LookupError("compared")

    for of_edge in (False, True):
        g = nx.DiGraph([("a", "b")])
        label, twin = Label(0), Label(0)
        g.add_edge(label, "a")
        if of_edge:
            g.add_edge("a", "b", **{"weight": 1})
            g._adj["a"]["b"] = {label: 1}
            label.run = refuse
            assert converted_arrays(g, twin) == (LookupError, "compared")
        else:
            g._adj["a"][twin] = {}
            label.run = refuse
            assert converted_arrays(g) == (LookupError, "compared")


@every_kind
def test_conversions_keep_no_references(kind):
    labels = [f"label {n}" for n in range(100)]
    weights = [n + 0.5 for n in range(100)]
    g = kind()
    for n in range(100):
        g.add_edge(labels[n], labels[n * 7 % 100], weight=weights[n])
        g.add_edge(Label(n), labels[n], color=n)
    edges = list(data for _, _, data in g.edges(data=True))
    default, weight = 12345.5, "".join(["wei", "ght"])
    watched = [*labels, *weights, *edges, *g._adj, *g._adj.values(), g._adj, default, weight]

    def references():
        gc.collect()
        return list(map(sys.getrefcount, watched))

    def convert():
        for name in ("weight", "color", None, weight, "missing"):
            converted_arrays(g, name, default)
            converted_arrays(g, name, None)
        g._adj[labels[0]]["absent"] = {0: {}}
        assert converted_arrays(g)[0] is KeyError
        del g._adj[labels[0]]["absent"]

    convert()
    before, blocks = references(), sys.getallocatedblocks()
    for _ in range(20):
        convert()
    assert references() == before and sys.getallocatedblocks() < blocks + 200


def test_arrays_of_conversions_are_freed():
    resource = pytest.importorskip("resource", reason="there are no limits of processes here")
    g = nx.gnm_random_graph(2000, 100_000, seed=1)
    _networkx_graph.Graph(g, "weight", 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(40):  # of 4.8 MB
        _networkx_graph.Graph(g, "weight", 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 60_000
