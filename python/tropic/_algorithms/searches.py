# SPDX-License-Identifier: Apache-2.0
"""Searches, shortest paths and spanning forests."""

from __future__ import annotations

import operator
from typing import NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import DTypeLike

from .. import _core
from .._matrix import Matrix
from .._progress import Progress, shows_progress
from .._types import code_of
from .._vector import Vector
from .arguments import core_of

__all__ = [
    "BFS",
    "BFSBatch",
    "Diameter",
    "Distances",
    "ShortestPaths",
    "SpanningForest",
    "bfs",
    "bfs_batch",
    "diameter",
    "minimum_spanning_forest",
    "shortest_paths",
    "shortest_paths_between",
]


class BFS(NamedTuple):
    """The result of bfs()."""

    level: Vector  #: edges from the source, int64; no entry where there is no path
    parent: Vector  #: the vertex before on a path, int64; the source is its own
    depth: int  #: the largest level
    reached: int  #: number of vertices with a level


@shows_progress
def bfs(graph: Matrix, source: int, *, progress: Progress = None) -> BFS:
    """Breadth-first search from one vertex. Weights are ignored.

    A vertex's parent is the smallest of its neighbours one level nearer. Raises UsageError if the
    matrix is not square or has no such vertex.
    """
    level, parent, depth, reached = _core.bfs(core_of(graph), source, progress)
    return BFS(Vector._wrap(level), Vector._wrap(parent), depth, reached)


class BFSBatch(NamedTuple):
    """The result of bfs_batch(): a column for every source."""

    level: np.ndarray  #: int64, vertices x sources: edges from the source; -1 where there is no path
    parent: np.ndarray  #: likewise: the vertex before; a source is its own


@shows_progress
def bfs_batch(graph: Matrix, sources: Sequence[int], *, progress: Progress = None) -> BFSBatch:
    """Breadth-first searches from many vertices at once. Weights are ignored.

    Column s has the levels and parents of ``bfs(graph, sources[s])``. A step reads the matrix once
    for all searches.

    Parameters
    ----------
    graph : Matrix
    sources : sequence of int
        In any order, also repeated.

    Raises
    ------
    UsageError
        A matrix that is not square, no such vertex, more than 2**32 pairs of vertex and source.
    """
    from_vertices = [operator.index(v) for v in sources]
    level, parent = _core.bfs_batch(core_of(graph), from_vertices, progress)
    shape = (graph.shape[0], len(from_vertices))
    return BFSBatch(Vector._wrap(level).to_numpy(missing=-1).reshape(shape),
                    Vector._wrap(parent).to_numpy(missing=-1).reshape(shape))


class ShortestPaths(NamedTuple):
    """The result of shortest_paths()."""

    distance: Vector  #: sums of weights; no entry where there is no path within the limit
    parent: Vector  #: the vertex before, int64; the source is its own. Empty without parents=True
    steps: int  #: products over the frontier
    saturated: int  #: number of distances that are not exact, since a sum was clamped


@shows_progress
def shortest_paths(graph: Matrix, source: int, *, dtype: Optional[DTypeLike] = None,
                   delta: float = 0.0, parents: bool = True, limit: float = np.inf,
                   progress: Progress = None) -> ShortestPaths:
    """Shortest paths from one vertex.

    Parameters
    ----------
    graph : Matrix
        Its values are weights, which may be negative.
    source : int
    dtype : dtype, optional
        Of the distances. None: int64 for integers of less than 64 bits and bool, else the matrix's.
    delta : float
        Width of a bucket; 0: chosen from the weights.
    parents : bool
        Compute parents, which takes longer.
    limit : float
        Greatest distance, in the unit of the weights: the search ends there, and vertices farther away
        have no entries. 0 or more; needs weights of 0 or more.

    Raises
    ------
    NegativeCycle
        A cycle of negative weight is reachable.
    UsageError
        No such vertex, a matrix that is not square, weights that the dtype does not hold, a limit that
        is negative or NaN, or one with a negative weight.
    """
    distance, parent, steps, saturated = _core.sssp(
        core_of(graph), source, None if dtype is None else code_of(dtype), delta, parents, limit,
        progress
    )
    return ShortestPaths(Vector._wrap(distance), Vector._wrap(parent), steps, saturated)


class Distances(NamedTuple):
    """The result of shortest_paths_between()."""

    distance: Vector  #: of pair k at position k; no entry where there is no path within the limit
    searches: int  #: one for every different source
    saturated: int  #: number of distances that are not exact, since a sum was clamped


@shows_progress
def shortest_paths_between(graph: Matrix, sources: Sequence[int], targets: Sequence[int], *,
                           dtype: Optional[DTypeLike] = None, delta: float = 0.0,
                           limit: float = np.inf, progress: Progress = None) -> Distances:
    """Lengths of shortest paths between given pairs of vertices.

    A search ends when the distances of all of its pairs are known.

    Parameters
    ----------
    graph : Matrix
        Its values are weights, which may be negative.
    sources, targets : sequence of int
        The vertices of the pairs, equally many.
    dtype, delta, limit
        As for shortest_paths().

    Raises
    ------
    NegativeCycle
        A cycle of negative weight is reachable.
    UsageError
        As for shortest_paths(), or different lengths.
    """
    distance, searches, saturated = _core.sssp_between(
        core_of(graph), [operator.index(v) for v in sources], [operator.index(v) for v in targets],
        None if dtype is None else code_of(dtype), delta, limit, progress
    )
    return Distances(Vector._wrap(distance), searches, saturated)


class Diameter(NamedTuple):
    """The result of diameter()."""

    lower: int
    upper: int
    source: int  #: one end of a shortest path of `lower` edges; -1 without vertices
    target: int  #: the other end
    searches: int  #: from one vertex each


@shows_progress
def diameter(graph: Matrix, *, exact: bool = False, progress: Progress = None) -> Diameter:
    """Bounds of the largest number of edges on a shortest path between connected vertices.

    Edges count in both directions, weights do not count. exact=True searches until both bounds are
    equal. Raises UsageError if the matrix is not square.
    """
    return Diameter(*_core.diameter(core_of(graph), exact, progress))


class SpanningForest(NamedTuple):
    """The result of minimum_spanning_forest()."""

    forest: Matrix  #: an entry (i, j), i < j, for every edge: its weight, of the graph's dtype
    edges: int  #: number of edges
    trees: int  #: number of trees, including vertices without edges
    weight: float  #: sum of the weights
    rounds: int


@shows_progress
def minimum_spanning_forest(graph: Matrix, *, progress: Progress = None) -> SpanningForest:
    """Edges of least total weight that connect all vertices that the graph connects.

    Edges count in both directions, of two between the same vertices the lighter one; loops do not
    count. Of equal weights the edge with the smaller vertices is preferred. Raises UsageError if the
    matrix is not square, or a weight is NaN.
    """
    forest, *numbers = _core.minimum_spanning_forest(core_of(graph), progress)
    return SpanningForest(Matrix._wrap(forest), *numbers)
