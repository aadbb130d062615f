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
    missing: Any = getattr(column, "null_count", None)  # pyarrow; a method of Polars
    if callable(missing):
        missing = missing()
    elif missing is None and hasattr(column, "isna"):
        missing = int(column.isna().sum())
    elif isinstance(column, np.ma.MaskedArray):
        missing = np.ma.count_masked(column)
    if missing:
        raise UsageError(f"column {name!r} lacks {missing} of its {len(column)} values")
    # pandas' nullable types and pyarrow's chunks as plain arrays.
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if values.ndim != 1:
        raise UsageError(f"column {name!r} has {values.ndim} dimensions, needed 1")
    return values


def _both_directions(i: Any, j: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Each edge and its reverse, a loop once.

    They follow each other, so that parallel edges are combined in one order in both directions.
    """
    kept = np.column_stack([np.full(len(i), True), i != j]).ravel()
    rows, columns = np.column_stack([i, j]).ravel()[kept], np.column_stack([j, i]).ravel()[kept]
    return rows, columns, None if weights is None else np.repeat(weights, 2)[kept]


def _matrix_of(i: Any, j: Any, weights: Any, name: Union[str, int, None], count: int,
               duplicates: Optional[str], context: Optional[Context], *, symmetric: bool,
               one_way: bool) -> Matrix:
    """The matrix of edges from i to j; bool if weights, which are called name, is None.

    `symmetric`: of an undirected graph; `one_way`: of which each edge is listed in one direction.
    """
    if weights is not None:
        if weights.ndim != 1:
            raise UsageError(f"the weights in {name!r} have {weights.ndim} dimensions, needed 1")
        if weights.dtype.kind not in "biuf":
            raise UsageError(f"the weights in {name!r} are {weights.dtype}, needed numbers")
    if duplicates is None:
        duplicates = "first" if weights is None else "error"
    if symmetric and one_way:
        i, j, weights = _both_directions(i, j, weights)
    values: Any = True if weights is None else weights
    result = Matrix.from_entries(i, j, values, (count, count), duplicates=duplicates,
                                 context=context)
    if symmetric:
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
        False: every edge has both directions, and the matrix is known to be symmetric. Parallel edges
        are combined whatever their directions.
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
    weights = None if weight is None else _column(table, weight)
    for name, column in ((target, j), (weight, weights)):
        if column is not None and len(column) != len(i):
            raise UsageError(f"column {name!r} has {len(column)} values, there are {len(i)} of "
                             f"{source!r}")
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
    matrix = _matrix_of(i, j, weights, weight, count, duplicates, context, symmetric=not directed,
                        one_way=True)
    return NamedGraph(matrix, names)


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
    weights = None
    if weight is not None:
        if weight not in graph.es.attributes():
            raise UsageError(f"edges have no attribute {weight!r}, found {graph.es.attributes()}")
        weights = np.array(graph.es[weight], dtype=None if graph.ecount() else float)
    return _matrix_of(flat[::2], flat[1::2], weights, weight, graph.vcount(), duplicates, context,
                      symmetric=not graph.is_directed(), one_way=True)


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
    from ._networkx_graph import Graph

    converted = Graph(graph, weight, default)
    matrix = _matrix_of(converted._rows, converted._columns, converted._weights, weight,
                        len(converted), duplicates, context, symmetric=not graph.is_directed(), one_way=False)
    if converted.nodes == list(range(len(converted))):
        return NamedGraph(matrix, None)
    names = np.empty(len(converted), dtype=object)
    for number, node in enumerate(converted.nodes):  # a tuple is one name
        names[number] = node
    return NamedGraph(matrix, names)
