# SPDX-License-Identifier: Apache-2.0
"""Graphs of NetworkX as matrices, for the functions of the backend (_networkx.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from functools import cached_property
from itertools import chain
from typing import Any, Optional

import networkx as nx
import numpy as np

from . import _core
from ._matrix import Matrix


def _adjacency(graph: Any) -> Any:
    """The neighbours of every node with the edges to them, as dictionaries."""
    kind = type(graph)
    if (type(graph._adj) is dict and kind.__getitem__ is nx.Graph.__getitem__
            and kind.adjacency is nx.Graph.adjacency):
        return graph._adj
    # A view, whose lengths may count what it hides, or a class that computes its neighbours.
    several = graph.is_multigraph()
    return {u: {v: dict(edges) if several else edges for v, edges in graph[u].items()} for u in graph}


class Graph:
    """A graph of NetworkX as matrices, which are made when they are first used."""

    __networkx_backend__ = "tropic"

    def __init__(self, graph: Any, weight: Optional[str], default: Any) -> None:
        self._directed = graph.is_directed()
        self._multigraph = graph.is_multigraph()
        self.nodes: list[Any] = list(graph)
        self.graph = dict(graph.graph)
        adjacency = _adjacency(graph)
        self._weights: Any = None
        found = _core.networkx_entries(adjacency, self.nodes, self._multigraph, weight, default)
        if found is None:
            self._list_entries(adjacency)
        else:
            self._rows, self._columns, self._weights = found
        if weight is not None and self._weights is None:
            self._list_weights(adjacency, weight, default)
        self._matrices: dict[str, Matrix] = {}
        self._reversed: Optional[Graph] = None

    @cached_property
    def index(self) -> dict[Any, int]:
        """The number of each node."""
        return dict(zip(self.nodes, range(len(self.nodes))))

    # The general code, for what networkx_entries leaves: other classes of dictionaries and weights.

    def _list_entries(self, adjacency: Any) -> None:
        neighbours = list(adjacency.values())
        counts = list(map(len, neighbours))
        columns = map(self.index.__getitem__, chain.from_iterable(neighbours))
        self._columns = np.fromiter(columns, dtype=np.int64, count=sum(counts))
        self._rows = np.repeat(np.arange(len(counts)), counts)
        if self._multigraph:
            times = [len(edges) for row in neighbours for edges in row.values()]
            self._rows, self._columns = np.repeat(self._rows, times), np.repeat(self._columns, times)

    def _list_weights(self, adjacency: Any, weight: str, default: Any) -> None:
        data: Iterable[Any] = chain.from_iterable(row.values() for row in adjacency.values())
        if self._multigraph:
            data = chain.from_iterable(edges.values() for edges in data)
        given = [edge.get(weight, default) for edge in data]
        self._weights = np.array(given)
        if self._weights.dtype.kind == "f" and (np.abs(self._weights) >= 2.0**63).any():
            # NumPy makes floats of integers below and from 2**63.
            if any(isinstance(one, int) and abs(one) >= 2**63 for one in given):
                self._weights = np.array(given, dtype=object)
        if self._weights.size == 0:
            self._weights = self._weights.astype(np.int64)

    # What NetworkX asks of a graph.

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.index
        except TypeError:  # it has no hash
            return False

    # Matrices.

    @property
    def weights(self) -> Any:
        """The weights as int64 or float64, 1 without any; NotImplementedError for others."""
        if self._weights is None:
            return np.ones(len(self._rows), dtype=np.int64)
        kind = self._weights.dtype.kind
        if self._weights.ndim != 1 or kind not in "biuf":
            raise NotImplementedError("tropic: weights that are not integers of 64 bits or floats")
        if kind == "u" and self._weights.size and self._weights.max() > np.iinfo(np.int64).max:
            raise NotImplementedError("tropic: integers that do not fit int64")
        return self._weights.astype(np.float64 if kind == "f" else np.int64)

    def matrix(self, kind: str) -> Matrix:
        """The adjacency matrix.

        "pattern"; "count", the number of parallel edges; or weights, of parallel edges the "sum" or
        the "min".
        """
        found = self._matrices.get(kind)
        if found is None:
            shape = (len(self), len(self))
            if kind == "pattern":
                found = Matrix.from_entries(self._rows, self._columns, True, shape,
                                            duplicates="first")
            elif kind == "count":
                ones = np.ones(len(self._rows))
                found = Matrix.from_entries(self._rows, self._columns, ones, shape,
                                            duplicates="sum")
            else:
                found = Matrix.from_entries(self._rows, self._columns, self.weights, shape,
                                            duplicates=kind)
            if not self._directed:
                found.assume_symmetric()
            self._matrices[kind] = found
        return found

    def reversed(self) -> "Graph":
        """The graph with every edge turned around, which shares the lists of nodes and edges."""
        if not self._directed:
            return self
        if self._reversed is None:
            result = copy(self)
            result._rows, result._columns = self._columns, self._rows
            result._matrices, result._reversed = {}, self
            self._reversed = result
        return self._reversed

    def reversed_pattern(self) -> Matrix:
        """The pattern with every edge turned around."""
        if not self._directed:
            return self.matrix("pattern")
        found = self._matrices.get("reversed")
        if found is None:
            found = self._matrices["reversed"] = self.matrix("pattern").transpose()
        return found


def convert_from_nx(graph: Any, *, edge_attrs: Optional[dict[str, Any]] = None,
                    **_: Any) -> Graph:
    """A graph of NetworkX with the one attribute of edges that the function uses, if any."""
    weight, default = next(iter(edge_attrs.items())) if edge_attrs else (None, None)
    return Graph(graph, weight, 1 if default is None else default)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Results are plain objects already."""
    if isinstance(result, Graph):
        converted = {(False, False): nx.Graph, (True, False): nx.DiGraph,
                     (False, True): nx.MultiGraph, (True, True): nx.MultiDiGraph
                     }[result.is_directed(), result.is_multigraph()]()
        converted.graph.update(result.graph)
        converted.add_nodes_from(result.nodes)
        for i, j in zip(result._rows.tolist(), result._columns.tolist()):
            if result.is_directed() or i <= j:
                converted.add_edge(result.nodes[i], result.nodes[j])
        return converted
    return result
