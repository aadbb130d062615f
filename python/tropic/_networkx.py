# SPDX-License-Identifier: Apache-2.0
"""The backend for NetworkX: ``nx.pagerank(G, backend="tropic")``.

NetworkX converts a graph once, and keeps the conversion with the graph until it changes. A function
has NetworkX's own meaning of arguments, orders, results and errors. What is not supported is
refused by can_run, with a reason, or by NotImplementedError where the values decide it; NetworkX then
runs its own function, unless the backend was asked for by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Callable, Optional

import networkx as nx
import numpy as np

from . import _algorithms as algorithms
from ._errors import Error, NoConvergence
from ._matrix import Matrix
from ._networkx_graph import Graph, convert_from_nx, convert_to_nx
from ._networkx_searches import (
    _levels,
    all_pairs_bellman_ford_path_length,
    all_pairs_dijkstra_path_length,
    all_pairs_shortest_path_length,
    ancestors,
    bellman_ford_path_length,
    descendants,
    descendants_at_distance,
    dijkstra_path_length,
    has_path,
    shortest_path_length,
    single_source_bellman_ford_path_length,
    single_source_dijkstra_path_length,
    single_source_shortest_path_length,
    single_target_shortest_path_length,
)
from ._vector import Vector


# --- PageRank

def pagerank(G: Graph, alpha: float = 0.85, personalization: Any = None, max_iter: int = 100,
             tol: float = 1.0e-6, nstart: Any = None, weight: Any = "weight",
             dangling: Any = None) -> dict[Any, float]:
    count = len(G)
    if count == 0:
        return {}
    # A conversion that NetworkX has kept may have weights that this call does not use.
    matrix = G.matrix("count" if weight is None else "sum")
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        raise NotImplementedError("tropic: negative weights")
    preference = None
    if personalization is not None:
        given = [personalization.get(node, 0) for node in G.nodes]
        if sum(given) == 0:
            raise ZeroDivisionError
        preference = Vector.from_array(np.array(given, dtype=np.float64))
    try:
        found = algorithms.pagerank(matrix, damping=alpha, tolerance=count * tol,
                                    max_iterations=max_iter, weighted=True, preference=preference)
    except Error as cause:  # an argument that NetworkX does not check
        raise NotImplementedError(f"tropic: {cause}") from cause
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, found.rank.to_numpy().tolist()))


# --- components

def _parts(G: Graph, label: Any) -> Iterator[set[Any]]:
    order = np.argsort(label, kind="stable")
    starts = np.flatnonzero(np.diff(label[order], prepend=-1)).tolist()
    for begin, end in zip(starts, [*starts[1:], len(order)]):
        yield {G.nodes[v] for v in order[begin:end].tolist()}


def connected_components(G: Graph) -> Iterator[set[Any]]:
    yield from _parts(G, algorithms.connected_components(G.matrix("pattern")).label.to_numpy())


def strongly_connected_components(G: Graph) -> Iterator[set[Any]]:
    yield from _parts(G, algorithms.strong_components(G.matrix("pattern")).label.to_numpy())


def number_connected_components(G: Graph) -> int:
    return algorithms.connected_components(G.matrix("pattern")).components


def is_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def is_weakly_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def number_strongly_connected_components(G: Graph) -> int:
    return algorithms.strong_components(G.matrix("pattern")).components


def is_strongly_connected(G: Graph) -> bool:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_strongly_connected_components(G) == 1


def node_connected_component(G: Graph, n: Any) -> set[Any]:
    if n not in G:
        raise KeyError(n)
    return set(_levels(G, G.matrix("pattern"), n))


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components


# --- triangles

def _triangles(graph: Graph) -> Any:
    return algorithms.triangles_per_vertex(graph.matrix("pattern")).to_numpy(0)


def _degrees(graph: Graph) -> Any:
    # Without loops.
    ones = graph.matrix("pattern").select("off_diagonal").astype("int64")
    return ones.reduce_rows().to_numpy(0)


def _chosen(graph: Graph, nodes: Any, values: list[Any]) -> Any:
    # For one node its value, else a dictionary, as NetworkX takes `nodes`.
    if nodes is None:
        return dict(zip(graph.nodes, values))
    if nodes in graph:
        return values[graph.index[nodes]]
    return {node: values[graph.index[node]] for node in nodes if node in graph}


def triangles(G: Graph, nodes: Any = None) -> Any:
    return _chosen(G, nodes, _triangles(G).tolist())


def transitivity(G: Graph) -> float:
    if len(G) == 0:
        return 0
    closed, degree = int(2 * _triangles(G).sum()), _degrees(G)
    return 0 if closed == 0 else closed / int((degree * (degree - 1)).sum())


def clustering(G: Graph, nodes: Any = None, weight: Any = None) -> Any:
    count, degree = _triangles(G).tolist(), _degrees(G).tolist()
    values = [0 if t == 0 else 2 * t / (d * (d - 1)) for t, d in zip(count, degree)]
    return _chosen(G, nodes, values)


def average_clustering(G: Graph, nodes: Any = None, weight: Any = None,
                       count_zeros: bool = True) -> float:
    values = list(clustering(G, nodes).values())
    if not count_zeros:
        values = [one for one in values if abs(one) > 0]
    return sum(values) / len(values)


# --- cores

def core_number(G: Graph) -> dict[Any, int]:
    if (G._rows == G._columns).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    core = algorithms.core_numbers(G.matrix("pattern")).core
    return dict(zip(G.nodes, core.to_numpy().tolist()))


# --- centralities

def betweenness_centrality(G: Graph, k: Any = None, normalized: bool = True, weight: Any = None,
                           endpoints: bool = False, seed: Any = None) -> dict[Any, float]:
    found = algorithms.betweenness(G.matrix("pattern"), normalized=bool(normalized),
                                   endpoints=bool(endpoints), directed=G.is_directed())
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def closeness_centrality(G: Graph, u: Any = None, distance: Any = None,
                         wf_improved: bool = True, *, sp: Any = None) -> Any:
    if u is None:
        found = algorithms.closeness(G.matrix("pattern"), wf_improved=bool(wf_improved))
        return dict(zip(G.nodes, found.to_numpy().tolist()))
    if u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    to_u = _levels(G, G.reversed_pattern(), u)
    total, others = sum(to_u.values()), len(to_u) - 1
    if total == 0:
        return 0.0
    return others / total * (others / (len(G) - 1) if wf_improved else 1.0)


def _iterated(graph: Graph, weight: Any, max_iter: int, run: Callable[[Matrix, bool], Any]) -> Any:
    # The result of run(matrix, whether it is weighted).
    try:
        return run(graph.matrix("pattern" if weight is None else "sum"), weight is not None)
    except NoConvergence as cause:
        raise nx.PowerIterationFailedConvergence(max_iter) from cause
    except Error as cause:  # negative weights, or an argument that NetworkX does not check
        raise NotImplementedError(f"tropic: {cause}") from cause


def eigenvector_centrality(G: Graph, max_iter: int = 100, tol: float = 1.0e-6, nstart: Any = None,
                           weight: Any = None) -> dict[Any, float]:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    found = _iterated(G, weight, max_iter, lambda matrix, weighted: algorithms.eigenvector_centrality(
        matrix, tolerance=tol, max_iterations=max_iter, weighted=weighted
    ))
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def katz_centrality(G: Graph, alpha: float = 0.1, beta: Any = 1.0, max_iter: int = 1000,
                    tol: float = 1.0e-6, nstart: Any = None, normalized: bool = True,
                    weight: Any = None) -> dict[Any, float]:
    if len(G) == 0:
        return {}
    found = _iterated(G, weight, max_iter, lambda matrix, weighted: algorithms.katz_centrality(
        matrix, alpha=alpha, beta=beta, tolerance=tol, max_iterations=max_iter,
        normalized=bool(normalized), weighted=weighted
    ))
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def hits(G: Graph, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None,
         normalized: bool = True, *,
         method: str = "svd") -> tuple[dict[Any, float], dict[Any, float]]:
    # NetworkX before 3.7 has no `method` and calls ARPACK, as the method svd does.
    if method not in ("power_iteration", "svd"):
        raise ValueError(f"method not supported: {method}")
    if len(G) == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    matrix = G.matrix("sum")
    if len(G) < 3 or matrix.nvals == 0 or matrix.reduce("maximum") == 0:
        raise NotImplementedError("tropic: fewer than 3 nodes, or no weight above 0")
    try:
        # An iteration of ARPACK is a restart, with 20 products.
        iterations = 20 * max_iter if method == "svd" else max_iter
        found = algorithms.hits(matrix, tolerance=tol, max_iterations=iterations, weighted=True)
    except Error as cause:  # also no convergence: NetworkX's method may find a result
        raise NotImplementedError(f"tropic: {cause}") from cause
    return (dict(zip(G.nodes, found.hubs.to_numpy().tolist())),
            dict(zip(G.nodes, found.authorities.to_numpy().tolist())))


# --- communities and similarity

def modularity(G: Graph, communities: Any, weight: Any = "weight",
               resolution: float = 1) -> float:
    # Refused before an iterator is used up, so that NetworkX can take over. A conversion that NetworkX
    # has kept may have weights that this call does not use.
    matrix = G.matrix("count" if weight is None else "sum")
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        raise NotImplementedError("tropic: negative weights")
    if not 0 <= resolution < np.inf:
        raise NotImplementedError("tropic: a resolution that is negative or not finite")
    if not isinstance(communities, list):
        communities = list(communities)
    number = {node: place for place, part in enumerate(filter(len, communities)) for node in part
              if node in G}
    if not len(G) == len(number) == sum(map(len, communities)):
        raise nx.community.quality.NotAPartition(G, communities)
    if not (matrix.nvals and matrix.reduce("maximum") > 0):
        # A ZeroDivisionError up to NetworkX 3.6, then 0.
        return nx.community.modularity(nx.empty_graph(1), [{0}], backend="networkx")
    community = Vector.from_array(np.array([number[node] for node in G.nodes], dtype=np.int64))
    try:
        return algorithms.modularity(matrix, community, resolution=resolution, weighted=True)
    except Error as cause:  # a sum of weights that is not finite
        raise NotImplementedError(f"tropic: {cause}") from cause


def _non_edges(graph: Graph) -> Iterator[tuple[Any, Any]]:
    # In the order of nx.non_edges.
    starts = np.searchsorted(graph._rows, np.arange(len(graph) + 1))
    left = set(graph.nodes)
    while left:
        u = left.pop()
        place = graph.index[u]
        columns = graph._columns[starts[place]:starts[place + 1]]
        for v in left - {graph.nodes[column] for column in columns.tolist()}:
            yield u, v


def jaccard_coefficient(G: Graph, ebunch: Any = None) -> Iterator[tuple[Any, Any, float]]:
    if (G._rows == G._columns).any():
        raise NotImplementedError("tropic: loops, which NetworkX counts among the neighbours")
    if ebunch is None:
        pairs = _non_edges(G)
    else:
        given = list(ebunch)
        for u, v in given:
            for node in (u, v):
                if node not in G:
                    raise nx.NodeNotFound(f"Node {node} not in G.")
        pairs = iter(given)
    return _similarities(G, pairs)


def _similarities(graph: Graph,
                  pairs: Iterator[tuple[Any, Any]]) -> Iterator[tuple[Any, Any, float]]:
    while part := list(islice(pairs, 2**18)):
        found = algorithms.similarity(graph.matrix("pattern"), [graph.index[u] for u, _ in part],
                                      [graph.index[v] for _, v in part])
        for (u, v), value in zip(part, found.to_numpy().tolist()):
            yield u, v, value


# --- what can run

def _no_callable(arguments: dict[str, Any]) -> Optional[str]:
    return "the weight is a function" if callable(arguments.get("weight")) else None


def _two_nodes(arguments: dict[str, Any]) -> Optional[str]:
    if arguments.get("source") is None or arguments.get("target") is None:
        return "source or target is None"
    return None


def _undirected_pattern(arguments: dict[str, Any]) -> Optional[str]:
    graph = arguments["G"]
    if graph.is_directed():
        return "triangles of directed graphs have another definition"
    if graph.is_multigraph():
        return "NetworkX does not define it for multigraphs"
    return "weighted triangles" if arguments.get("weight") is not None else None


def _plain_pagerank(arguments: dict[str, Any]) -> Optional[str]:
    for name in ("nstart", "dangling"):
        if arguments.get(name) is not None:
            return f"{name} is given"
    return None


def _undirected(arguments: dict[str, Any]) -> Optional[str]:
    if arguments["G"].is_directed():
        return "core numbers by the sum of both degrees"
    return None


def _all_by_edges(arguments: dict[str, Any]) -> Optional[str]:
    if arguments.get("k") is not None:
        return "k is given: a random sample"
    return "paths by weights" if arguments.get("weight") is not None else None


def _by_edges(arguments: dict[str, Any]) -> Optional[str]:
    if arguments.get("sp") is not None:
        return "sp is given"
    return "distances by weights" if arguments.get("distance") is not None else None


def _without_start(arguments: dict[str, Any]) -> Optional[str]:
    if arguments.get("nstart") is not None:
        return "nstart is given"
    if not isinstance(arguments.get("beta", 1.0), (int, float)):
        return "beta is not one number"
    return None


def _normalized_hits(arguments: dict[str, Any]) -> Optional[str]:
    if not arguments.get("normalized", True):
        return "without normalized NetworkX's result has a random sign"
    return _without_start(arguments)


def _simple_for_some(arguments: dict[str, Any]) -> Optional[str]:
    if arguments.get("nodes") is not None and arguments["G"].is_multigraph():
        return "NetworkX does not define it for multigraphs"
    return None


_REFUSALS: dict[str, Callable[[dict[str, Any]], Optional[str]]] = {
    "pagerank": _plain_pagerank,
    "has_path": _two_nodes,
    "shortest_path_length": _no_callable,
    "dijkstra_path_length": _no_callable,
    "bellman_ford_path_length": _no_callable,
    "all_pairs_dijkstra_path_length": _no_callable,
    "all_pairs_bellman_ford_path_length": _no_callable,
    "single_source_dijkstra_path_length": _no_callable,
    "single_source_bellman_ford_path_length": _no_callable,
    "triangles": _simple_for_some,
    "transitivity": _undirected_pattern,
    "clustering": _undirected_pattern,
    "average_clustering": _undirected_pattern,
    "core_number": _undirected,
    "betweenness_centrality": _all_by_edges,
    "closeness_centrality": _by_edges,
    "eigenvector_centrality": _without_start,
    "katz_centrality": _without_start,
    "hits": _normalized_hits,
}


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """True, or the reason why the function is left to NetworkX."""
    refusal = _REFUSALS.get(name)
    if refusal is None:
        return True
    import inspect

    given = inspect.signature(globals()[name]).bind(*args, **kwargs).arguments
    return refusal(given) or True


class _Dispatcher:
    """What NetworkX loads: the functions of this file that the backend offers."""

    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)
    can_run = staticmethod(can_run)


def _offer() -> _Dispatcher:
    from ._networkx_info import FUNCTIONS

    dispatcher = _Dispatcher()
    for name in FUNCTIONS:
        setattr(dispatcher, name, globals()[name])
    return dispatcher


dispatcher = _offer()
