# SPDX-License-Identifier: Apache-2.0
"""Searches of the backend for NetworkX: by edges, and by weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Callable

import networkx as nx
import numpy as np

from . import _algorithms as algorithms
from ._errors import Error, NegativeCycle
from ._matrix import Matrix
from ._networkx_graph import Graph


# --- breadth-first search

def _by_level(graph: Graph, at: Any, level: Any, cutoff: Any) -> dict[Any, int]:
    # Of vertices, ascending, and their levels.
    order = np.argsort(level, kind="stable")
    if cutoff is not None:
        order = order[(level[order] <= cutoff) | (level[order] == 0)]
    nodes = graph.nodes
    return {nodes[v]: n for v, n in zip(at[order].tolist(), level[order].tolist())}


def _in_edges(cutoff: Any) -> Any:
    # NetworkX's searches by edges take one more while less than `cutoff` are done.
    return None if cutoff is None else np.ceil(cutoff)


def _limit(cutoff: Any) -> float:
    # The least number of fp64 from 0 that is not below the cutoff. No distance is above a NaN.
    if cutoff is None or cutoff != cutoff:
        return np.inf
    try:
        limit = float(cutoff)
    except OverflowError:
        limit = np.inf if cutoff > 0 else 0.0
    return max(0.0, limit if limit >= cutoff else float(np.nextafter(limit, np.inf)))


def _levels(graph: Graph, matrix: Matrix, source: Any, cutoff: Any = None) -> dict[Any, int]:
    vertex, limit = graph.index[source], _limit(cutoff)
    if limit < np.inf:  # where every edge is 1: a search that ends there
        found = algorithms.shortest_paths(matrix, vertex, parents=False, delta=1, limit=limit).distance
    else:
        found = algorithms.bfs(matrix, vertex).level
    return _by_level(graph, *found.to_entries(), cutoff)


def _distance_in_edges(graph: Graph, source: Any, target: Any) -> int:
    # As of nx.bidirectional_shortest_path, with its errors.
    if source not in graph:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in graph:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    level = algorithms.bfs(graph.matrix("pattern"), graph.index[source]).level
    found = level[graph.index[target]]
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found


def has_path(G: Graph, source: Any, target: Any) -> bool:
    try:
        _distance_in_edges(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def _all_levels(graph: Graph, cutoff: Any) -> Iterator[tuple[Any, dict[Any, int]]]:
    # Many searches at once, whose levels take 16 bytes for each vertex and search.
    matrix, count = graph.matrix("pattern"), len(graph)
    at_once = max(1, min(64, 2**22 // max(count, 1)))
    for first in range(0, count, at_once):
        sources = range(first, min(first + at_once, count))
        levels = algorithms.bfs_batch(matrix, sources).level
        for source, level in zip(sources, levels.T):
            at = np.flatnonzero(level >= 0)
            yield graph.nodes[source], _by_level(graph, at, level[at], cutoff)


def all_pairs_shortest_path_length(G: Graph,
                                   cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    return _all_levels(G, _in_edges(cutoff))


def single_source_shortest_path_length(G: Graph, source: Any, cutoff: Any = None) -> dict[Any, int]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _levels(G, G.matrix("pattern"), source, _in_edges(cutoff))


def single_target_shortest_path_length(G: Graph, target: Any, cutoff: Any = None) -> Any:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    found = _levels(G, G.reversed_pattern(), target, _in_edges(cutoff))
    # A dictionary from NetworkX 3.5 on, before that pairs.
    return iter(found.items()) if re.match(r"3\.[0-4]\b", nx.__version__) else found


def descendants_at_distance(G: Graph, source: Any, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    cutoff = distance if isinstance(distance, (int, float)) else None
    levels = _levels(G, G.matrix("pattern"), source, cutoff)
    return {v for v, level in levels.items() if level == distance}


def descendants(G: Graph, source: Any) -> set[Any]:
    if source not in G.index:
        raise nx.NetworkXError(f"The node {source} is not in the digraph.")
    return _levels(G, G.matrix("pattern"), source).keys() - {source}


def ancestors(G: Graph, source: Any) -> set[Any]:
    if source not in G.index:
        raise nx.NetworkXError(f"The node {source} is not in the digraph.")
    return _levels(G, G.reversed_pattern(), source).keys() - {source}


# --- shortest paths

def _searched(search: Callable[[Matrix], Any], graph: Graph) -> Any:
    # The result of a search by weights, with NetworkX's errors.
    try:
        found = search(graph.matrix("min"))
    except NegativeCycle as cause:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from cause
    except Error as cause:  # a weight that stands for no path
        raise NotImplementedError(f"tropic: {cause}") from cause
    if found.saturated:
        raise NotImplementedError("tropic: sums of weights of more than 64 bits")
    return found


def _path_lengths(graph: Graph, source: Any, weight: Any, cutoff: Any = None) -> dict[Any, Any]:
    if weight is None:  # every edge is 1, also where a kept conversion has weights
        return _levels(graph, graph.matrix("pattern"), source, cutoff)
    found = _searched(lambda matrix: algorithms.shortest_paths(
        matrix, graph.index[source], parents=False, limit=_limit(cutoff)), graph)
    at, distance = found.distance.to_entries()
    order = np.argsort(distance, kind="stable")
    if cutoff is not None:
        order = order[~(distance[order] > cutoff)]
    nodes = graph.nodes
    result = {nodes[v]: d for v, d in zip(at[order].tolist(), distance[order].tolist())}
    result[source] = 0
    return result


def _refuse_negative(graph: Graph, weight: Any) -> None:
    if weight is None:
        return
    matrix = graph.matrix("min")
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        raise NotImplementedError("tropic: negative weights, for which Dijkstra's method is wrong")


def single_source_dijkstra_path_length(G: Graph, source: Any, cutoff: Any = None,
                                       weight: Any = "weight") -> dict[Any, Any]:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    _refuse_negative(G, weight)
    return _path_lengths(G, source, weight, cutoff)


def single_source_bellman_ford_path_length(G: Graph, source: Any,
                                           weight: Any = "weight") -> dict[Any, Any]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _path_lengths(G, source, weight)


def _distance(graph: Graph, source: Any, target: Any, weight: Any, message: str) -> Any:
    # Between two nodes, of which the first one is in the graph.
    if weight is None:
        found = algorithms.bfs(graph.matrix("pattern"), graph.index[source]).level
        distance = found[graph.index[target]] if target in graph.index else None
    elif target not in graph.index:
        _path_lengths(graph, source, weight)  # weights may be an error as well
        distance = None
    else:
        pair = [graph.index[source]], [graph.index[target]]
        between = _searched(lambda matrix: algorithms.shortest_paths_between(matrix, *pair), graph)
        distance = between.distance[0]
    if distance is None:
        raise nx.NetworkXNoPath(message)
    return distance


def dijkstra_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    _refuse_negative(G, weight)
    return _distance(G, source, target, weight, f"Node {target} not reachable from {source}")


def bellman_ford_path_length(G: Graph, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph" if source == target else
                              f"Source {source} not in G")
    if source == target:
        return 0
    return _distance(G, source, target, weight, f"node {target} not reachable from {source}")


def _refuse_inexact(graph: Graph) -> None:
    # What a search would refuse: later, NetworkX's own function could not take over.
    weights = graph.weights
    if weights.size == 0:
        return
    if weights.dtype.kind == "f":
        if not np.isfinite(weights).all():
            raise NotImplementedError("tropic: weights that are not finite")
        if float(np.abs(weights).max()) >= np.finfo(np.float64).max / len(graph):
            raise NotImplementedError("tropic: sums of weights that may not be finite")
    elif max(abs(int(weights.min())), abs(int(weights.max()))) * len(graph) >= 2**63 - 1:
        raise NotImplementedError("tropic: sums of weights of more than 64 bits")


def _all_path_lengths(graph: Graph, weight: Any,
                      cutoff: Any = None) -> Iterator[tuple[Any, dict[Any, Any]]]:
    if weight is None:
        return _all_levels(graph, cutoff)
    _refuse_inexact(graph)
    return ((node, _path_lengths(graph, node, weight, cutoff)) for node in graph.nodes)


def all_pairs_dijkstra_path_length(G: Graph, cutoff: Any = None,
                                   weight: Any = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    _refuse_negative(G, weight)
    return _all_path_lengths(G, weight, cutoff)


def all_pairs_bellman_ford_path_length(
        G: Graph, weight: Any = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    return _all_path_lengths(G, weight)


def shortest_path_length(G: Graph, source: Any = None, target: Any = None, weight: Any = None,
                         method: str = "dijkstra") -> Any:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if weight is None:
        if source is not None and target is not None:
            return _distance_in_edges(G, source, target)
        if source is not None:
            return single_source_shortest_path_length(G, source)
        if target is None:
            return all_pairs_shortest_path_length(G)
        if target not in G:  # NetworkX searches the reversed graph from there
            raise nx.NodeNotFound(f"Source {target} is not in G")
        return _levels(G, G.reversed_pattern(), target)
    dijkstra = method == "dijkstra"
    if source is not None and target is not None:
        between = dijkstra_path_length if dijkstra else bellman_ford_path_length
        return between(G, source, target, weight)
    if source is None and target is None:
        everywhere = all_pairs_dijkstra_path_length if dijkstra else all_pairs_bellman_ford_path_length
        return everywhere(G, weight=weight)
    lengths = single_source_dijkstra_path_length if dijkstra else single_source_bellman_ford_path_length
    if source is None:
        G, source = G.reversed(), target
    return lengths(G, source, weight=weight)
