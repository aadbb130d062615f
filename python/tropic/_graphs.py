# SPDX-License-Identifier: Apache-2.0
"""Graphs of other packages as matrices: tables of edges, igraph, NetworkX. None of them is imported."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from ._context import Context
from ._errors import UsageError
from ._matrix import Matrix


class NamedGraph(NamedTuple):
    """A graph whose vertices may have names."""

    matrix: Matrix  #: A[i, j] is an edge from vertex i to vertex j
    names: "Optional[np.ndarray[Any, Any]]"  #: of the vertices; None: their numbers are the names


def _column(table: Any, name: Union[str, int]) -> "np.ndarray[Any, Any]":
    """A column of a table; UsageError if there is none, or a value is missing."""
    try:
        column = table[name]
    except (KeyError, IndexError, ValueError, TypeError) as cause:
        raise UsageError(f"the table has no column {name!r}") from cause
    missing = getattr(column, "null_count", None)
    if missing is None and hasattr(column, "isna"):
        missing = int(column.isna().sum())
    if missing:
        raise UsageError(f"column {name!r} lacks {missing} of its {len(column)} values")
    # pandas' nullable types and pyarrow's chunks as plain arrays.
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if values.ndim != 1:
        raise UsageError(f"column {name!r} has {values.ndim} dimensions, needed 1")
    return values


def _numbers(column: Any, name: Union[str, int]) -> "np.ndarray[Any, Any]":
    if column.dtype.kind not in "biuf":
        raise UsageError(f"the weights in column {name!r} are {column.dtype}, needed numbers")
    return column


def _with_both_directions(i: Any, j: Any, values: Any) -> tuple[Any, Any, Any]:
    # A loop is one edge.
    others = i != j
    back = values[others] if isinstance(values, np.ndarray) else values
    return (np.concatenate([i, j[others]]), np.concatenate([j, i[others]]),
            np.concatenate([values, back]) if isinstance(values, np.ndarray) else values)


def _matrix_of(i: Any, j: Any, values: Any, count: int, directed: bool, duplicates: str,
               context: Optional[Context]) -> Matrix:
    if not directed:
        i, j, values = _with_both_directions(i, j, values)
    result = Matrix.from_entries(i, j, values, (count, count), duplicates=duplicates,
                                 context=context)
    # Of parallel edges between two vertices the first or last may have two directions.
    if not directed and (duplicates in ("error", "sum", "min", "max") or result.is_iso):
        result.assume_symmetric()
    return result


def from_edges(table: Any, source: Union[str, int] = "source", target: Union[str, int] = "target",
               weight: Union[str, int, None] = None, *, directed: bool = True,
               count: Optional[int] = None, duplicates: Optional[str] = None,
               context: Optional[Context] = None) -> NamedGraph:
    """The graph of a table with an edge in each row.

    Parameters
    ----------
    table : pandas.DataFrame, pyarrow.Table, dict of arrays, or anything with table[name]
    source, target : str or int
        The columns of the vertices. Integers that are not negative are the numbers of vertices;
        anything else is a name, and names are numbered in ascending order.
    weight : str or int, optional
        The column of the weights, whose type the matrix has. None: a matrix of bool.
    directed : bool
        False: every edge has both directions, and the matrix is known to be symmetric.
    count : int, optional
        Number of vertices where they are numbers; one more than the largest if None.
    duplicates : {"error", "sum", "min", "max", "first", "last"}, optional
        How the weights of parallel edges are combined. None: an error, without weights one edge.
    context : Context, optional

    Returns
    -------
    NamedGraph
        The matrix, and the names by vertex, or None.

    Raises
    ------
    UsageError
        A column that does not exist, lacks values or has other types; parallel edges.
    """
    i, j = _column(table, source), _column(table, target)
    values: Any = True if weight is None else _numbers(_column(table, weight), weight)
    names = None
    if i.dtype.kind in "iu" and j.dtype.kind in "iu":
        least = min(int(i.min()), int(j.min())) if len(i) else 0
        if least < 0:
            raise UsageError(f"a vertex is {least}, needed numbers from 0 on")
        found = max(int(i.max()), int(j.max())) + 1 if len(i) else 0
        count = found if count is None else count
        i, j = i.astype(np.int64), j.astype(np.int64)
    else:
        if count is not None:
            raise UsageError("count is given, and the vertices are names, which give their number")
        try:
            names, places = np.unique(np.concatenate([i, j]), return_inverse=True)
        except TypeError as cause:
            raise UsageError(f"names of vertices that cannot be compared: {cause}") from cause
        i, j, count = places[:len(i)], places[len(i):], len(names)
    if duplicates is None:
        duplicates = "first" if weight is None else "error"
    return NamedGraph(_matrix_of(i, j, values, count, directed, duplicates, context), names)


def from_igraph(graph: Any, weight: Optional[str] = None, *, duplicates: Optional[str] = None,
                context: Optional[Context] = None) -> Matrix:
    """The matrix of a graph of igraph; its vertices keep their numbers.

    Parameters
    ----------
    graph : igraph.Graph
        The matrix of an undirected one is known to be symmetric.
    weight : str, optional
        An attribute of the edges, a number; None: a matrix of bool.
    duplicates : {"error", "sum", "min", "max", "first", "last"}, optional
        How the weights of parallel edges are combined. None: an error, without weights one edge.
    context : Context, optional

    Raises
    ------
    UsageError
        Weights that are no numbers, or an attribute that does not exist; parallel edges.
    """
    if not hasattr(graph, "get_edgelist"):
        raise TypeError(f"a graph of igraph is needed, found a {type(graph).__name__}")
    flat = np.fromiter(chain.from_iterable(graph.get_edgelist()), dtype=np.int64,
                       count=2 * graph.ecount())
    values: Any = True
    if weight is not None:
        if weight not in graph.es.attributes():
            raise UsageError(f"edges have no attribute {weight!r}, found {graph.es.attributes()}")
        values = _numbers(np.array(graph.es[weight], dtype=None if graph.ecount() else float), weight)
    if duplicates is None:
        duplicates = "first" if weight is None else "error"
    return _matrix_of(flat[::2], flat[1::2], values, graph.vcount(), graph.is_directed(), duplicates,
                      context)


def from_networkx(graph: Any, weight: Optional[str] = None, *, default: Any = 1,
                  duplicates: Optional[str] = None, context: Optional[Context] = None) -> NamedGraph:
    """The matrix of a graph of NetworkX; vertices are numbered in the order of its nodes.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        The matrix of an undirected one is known to be symmetric.
    weight : str, optional
        An attribute of the edges, a number, `default` where an edge has none; None: a matrix of bool.
    default : number
    duplicates : {"error", "sum", "min", "max", "first", "last"}, optional
        How the weights of parallel edges are combined. None: an error, without weights one edge.
    context : Context, optional

    Returns
    -------
    NamedGraph
        The matrix and the nodes; names is None if they are 0, 1, 2, ... in this order.

    Raises
    ------
    UsageError
        Weights that are no numbers; parallel edges.
    """
    if not hasattr(graph, "_adj"):
        raise TypeError(f"a graph of NetworkX is needed, found a {type(graph).__name__}")
    from ._networkx import Graph

    made = Graph(graph, weight, default)
    values: Any = True if weight is None else _numbers(made._weights, weight)
    if duplicates is None:
        duplicates = "first" if weight is None else "error"
    # The lists have both directions of an undirected edge.
    matrix = Matrix.from_entries(made._rows, made._columns, values, (len(made), len(made)),
                                 duplicates=duplicates, context=context)
    if not graph.is_directed():
        matrix.assume_symmetric()
    if made.nodes == list(range(len(made))):
        return NamedGraph(matrix, None)
    names = np.empty(len(made), dtype=object)
    names[:] = made.nodes
    return NamedGraph(matrix, names)
