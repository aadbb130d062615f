# SPDX-License-Identifier: Apache-2.0
"""Components, triangles, cores, communities and similarity of the backend for NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import networkx as nx
import numpy as np

from . import _algorithms as algorithms
from ._errors import Error
from ._networkx_graph import Graph
from ._networkx_searches import _levels
from ._vector import Vector


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
