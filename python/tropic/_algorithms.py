# SPDX-License-Identifier: Apache-2.0
"""Graph algorithms. A graph is a square Matrix; an entry (i, j) is an edge from i to j.

Every function takes ``progress``, a callable that receives the name of each step and the fraction
done, or None where that is not known. An exception that it raises, and Ctrl+C, end the run at its
next step and leave every container as it was. Other threads of Python run meanwhile.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional

from numpy.typing import DTypeLike

from . import _core
from ._matrix import Matrix
from ._types import code_of
from ._vector import Vector

Progress = Optional[Callable[[str, Optional[float]], object]]


def _graph(given: Any) -> _core.Matrix:
    if not isinstance(given, Matrix):
        raise TypeError(f"a graph is a Matrix, found a {type(given).__name__}")
    return given._core


class BFS(NamedTuple):
    """The result of bfs()."""

    level: Vector  #: edges from the source, int64; no entry where there is no path
    parent: Vector  #: the vertex before on a path, int64; the source is its own
    depth: int  #: the largest level
    reached: int  #: number of vertices with a level


def bfs(graph: Matrix, source: int, *, progress: Progress = None) -> BFS:
    """Breadth-first search from one vertex. Weights are ignored.

    A vertex's parent is the smallest of its neighbours one level nearer. Raises UsageError if the
    matrix is not square or has no such vertex.
    """
    level, parent, depth, reached = _core.bfs(_graph(graph), source, progress)
    return BFS(Vector._wrap(level), Vector._wrap(parent), depth, reached)


class ShortestPaths(NamedTuple):
    """The result of shortest_paths()."""

    distance: Vector  #: sums of weights; no entry where there is no path
    parent: Vector  #: the vertex before, int64; the source is its own. Empty without parents=True
    steps: int  #: products over the frontier
    saturated: int  #: number of distances that are not exact, since a sum was clamped


def shortest_paths(graph: Matrix, source: int, *, dtype: Optional[DTypeLike] = None,
                   delta: float = 0.0, parents: bool = True,
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

    Raises
    ------
    NegativeCycle
        A cycle of negative weight is reachable.
    UsageError
        No such vertex, a matrix that is not square, weights that the dtype does not hold.
    """
    distance, parent, steps, saturated = _core.sssp(
        _graph(graph), source, None if dtype is None else code_of(dtype), delta, parents, progress
    )
    return ShortestPaths(Vector._wrap(distance), Vector._wrap(parent), steps, saturated)


class PageRank(NamedTuple):
    """The result of pagerank()."""

    rank: Vector  #: float64, full, with sum 1
    iterations: int
    change: float  #: sum of the changes in the last iteration
    converged: bool  #: whether that is at most the tolerance


def pagerank(graph: Matrix, *, damping: float = 0.85, tolerance: float = 1e-6,
             max_iterations: int = 100, iterations: Optional[int] = None, weighted: bool = False,
             preference: Optional[Vector] = None, progress: Progress = None) -> PageRank:
    """PageRank.

    Parameters
    ----------
    graph : Matrix
    damping : float
        The probability of following an edge, 0 to 1.
    tolerance : float
        Stop when the changes of an iteration sum to at most this.
    max_iterations : int
        Stop after this many iterations.
    iterations : int, optional
        Run exactly this many.
    weighted : bool
        Follow edges in proportion to their values, which must not be negative.
    preference : Vector, optional
        float64: jumps go to v in proportion to preference[v]. None: to all vertices equally.

    Raises
    ------
    UsageError
        A matrix that is not square, an option out of range, a negative weight or preference.
    """
    if preference is not None and not isinstance(preference, Vector):
        raise TypeError(f"preference is a {type(preference).__name__}, needed a Vector")
    rank, count, change, converged = _core.pagerank(
        _graph(graph), damping, tolerance, max_iterations, iterations, weighted,
        None if preference is None else preference._core, progress
    )
    return PageRank(Vector._wrap(rank), count, change, converged)


class Components(NamedTuple):
    """The result of connected_components()."""

    label: Vector  #: the smallest vertex of the component, int64, full
    components: int  #: number of components


def connected_components(graph: Matrix, *, progress: Progress = None) -> Components:
    """The weakly connected components: edges count in both directions."""
    label, count = _core.connected_components(_graph(graph), progress)
    return Components(Vector._wrap(label), count)


def triangle_count(graph: Matrix, *, progress: Progress = None) -> int:
    """The number of triangles; edges count in both directions, loops do not."""
    return _core.triangle_count(_graph(graph), progress)


def triangles_per_vertex(graph: Matrix, *, progress: Progress = None) -> Vector:
    """The number of triangles of every vertex, int64, without entries where there are none."""
    return Vector._wrap(_core.triangles_per_vertex(_graph(graph), progress))
