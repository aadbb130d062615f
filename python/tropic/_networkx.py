# SPDX-License-Identifier: Apache-2.0
"""The backend for NetworkX: ``nx.pagerank(G, backend="tropic")``.

NetworkX converts a graph once, and keeps the conversion with the graph until it changes. A function
has NetworkX's own meaning of arguments, orders, results and errors. What is not supported is
refused by can_run, with a reason, or by NotImplementedError where the values decide it; NetworkX then
runs its own function, unless the backend was asked for by name.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

from ._networkx_centrality import (
    betweenness_centrality,
    closeness_centrality,
    eigenvector_centrality,
    hits,
    katz_centrality,
    pagerank,
)
from ._networkx_graph import convert_from_nx, convert_to_nx
from ._networkx_searches import (
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
from ._networkx_structure import (
    average_clustering,
    clustering,
    connected_components,
    core_number,
    is_connected,
    is_strongly_connected,
    is_weakly_connected,
    jaccard_coefficient,
    modularity,
    node_connected_component,
    number_connected_components,
    number_strongly_connected_components,
    number_weakly_connected_components,
    strongly_connected_components,
    transitivity,
    triangles,
    weakly_connected_components,
)


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
    """What NetworkX loads: the functions that the backend offers, by their names here."""

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
