# SPDX-License-Identifier: Apache-2.0
"""PageRank and other centralities."""

from __future__ import annotations

import operator
from typing import Iterable, NamedTuple, Optional

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._errors import UsageError
from .._matrix import Matrix
from .._progress import Progress, shows_progress
from .._vector import Vector
from .arguments import core_of

__all__ = [
    "Betweenness",
    "Hits",
    "PageRank",
    "PageRankBatch",
    "PowerCentrality",
    "betweenness",
    "closeness",
    "eigenvector_centrality",
    "hits",
    "katz_centrality",
    "pagerank",
    "pagerank_batch",
]


class PageRank(NamedTuple):
    """The result of pagerank()."""

    rank: Vector  #: float64, full, with sum 1
    iterations: int
    change: float  #: sum of the changes in the last iteration
    converged: bool  #: whether that is at most the tolerance


@shows_progress
def pagerank(graph: Matrix, *, damping: float = 0.85, tolerance: float = 1e-6,
             max_iterations: int = 100, iterations: Optional[int] = None, weighted: bool = False,
             preference: Optional[Vector] = None, lose_dangling: bool = False,
             single: bool = False, progress: Progress = None) -> PageRank:
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
    lose_dangling : bool
        Leave the rank of vertices without outgoing edges out, as the GAP benchmark suite does:
        ranks then sum to less than 1. False: it is distributed as jumps are.
    single : bool
        Compute with ranks, and weights, of float32.

    Raises
    ------
    UsageError
        A matrix that is not square, an option out of range, a negative weight or preference.
    """
    if preference is not None and not isinstance(preference, Vector):
        raise TypeError(f"preference is a {type(preference).__name__}, needed a Vector")
    rank, count, change, converged = _core.pagerank(
        core_of(graph), damping, tolerance, max_iterations, iterations, weighted,
        None if preference is None else preference._core, lose_dangling, single, progress
    )
    return PageRank(Vector._wrap(rank), count, change, converged)


class PageRankBatch(NamedTuple):
    """The result of pagerank_batch(): an element, or a column, for every run."""

    rank: np.ndarray  #: float64, vertices x runs, read-only; every column has the sum 1
    iterations: np.ndarray  #: int64
    change: np.ndarray  #: float64: sum of the changes in the last iteration
    converged: np.ndarray  #: bool: whether that is at most the tolerance


@shows_progress
def pagerank_batch(graph: Matrix, preferences: ArrayLike, *, damping: float = 0.85,
                   tolerance: float = 1e-6, max_iterations: int = 100,
                   iterations: Optional[int] = None, weighted: bool = False,
                   lose_dangling: bool = False, single: bool = False,
                   progress: Progress = None) -> PageRankBatch:
    """PageRank from many preferences at once.

    Column s of the ranks is that of ``pagerank(graph, preference=preferences[:, s])`` up to
    rounding. An iteration reads the matrix once for all runs.

    Parameters
    ----------
    graph : Matrix
    preferences : array_like
        vertices x runs: jumps of run s go to v in proportion to preferences[v, s]. An array of
        float64 with contiguous rows is not copied.
    damping, tolerance, max_iterations, iterations, weighted, lose_dangling, single
        As for pagerank(), for every run.

    Raises
    ------
    UsageError
        As for pagerank(), or preferences of another shape.
    """
    given = np.require(preferences, np.float64, ["C", "A"])
    if given.ndim != 2:
        raise UsageError(f"preferences have {given.ndim} dimensions, needed 2: vertices x runs")
    rank, counts, changes, converged = _core.pagerank_batch(
        core_of(graph), given, damping, tolerance, max_iterations, iterations, weighted,
        lose_dangling, single, progress
    )
    return PageRankBatch(Vector._wrap(rank).to_numpy().reshape(given.shape),
                         np.array(counts, dtype=np.int64), np.array(changes, dtype=np.float64),
                         np.array(converged, dtype=bool))


class Betweenness(NamedTuple):
    """The result of betweenness()."""

    centrality: Vector  #: float64, full
    sources: int  #: number of vertices whose paths were counted
    by_logarithms: int  #: number of sources with a path count above 1e290


@shows_progress
def betweenness(graph: Matrix, *, sources: Optional[Iterable[int]] = None, normalized: bool = True,
                endpoints: bool = False, directed: Optional[bool] = None,
                progress: Progress = None) -> Betweenness:
    """The part of the shortest paths that pass through every vertex, in the scale of NetworkX 3.6.

    Parameters
    ----------
    graph : Matrix
        Its values are ignored.
    sources : iterable of int, optional
        Only paths from these vertices, each once: an estimate, scaled to all. None: from all.
    normalized : bool
        Divide by the number of pairs, so that values are at most 1.
    endpoints : bool
        A path also passes through its two ends.
    directed : bool, optional
        Whether (s, t) and (t, s) are two pairs, which matters without `normalized`. None: unless the
        matrix is known to be symmetric (Matrix.assume_symmetric).

    Raises
    ------
    UsageError
        A matrix that is not square, a source that is no vertex or is listed twice.
    """
    centrality, count, by_logarithms = _core.betweenness(
        core_of(graph), None if sources is None else [operator.index(v) for v in sources],
        normalized, endpoints, directed, progress
    )
    return Betweenness(Vector._wrap(centrality), count, by_logarithms)


@shows_progress
def closeness(graph: Matrix, *, wf_improved: bool = True, progress: Progress = None) -> Vector:
    """Closeness of every vertex by the distances to it, as in NetworkX: float64, full.

    For a vertex that r vertices reach, itself included: r - 1 divided by the sum of their distances in
    edges; with `wf_improved` times (r - 1) / (n - 1). Weights are ignored. Raises UsageError if the
    matrix is not square.
    """
    return Vector._wrap(_core.closeness(core_of(graph), wf_improved, progress))


class PowerCentrality(NamedTuple):
    """The result of eigenvector_centrality() and katz_centrality()."""

    centrality: Vector  #: float64, full
    iterations: int


@shows_progress
def eigenvector_centrality(graph: Matrix, *, tolerance: float = 1e-6, max_iterations: int = 100,
                           weighted: bool = False, progress: Progress = None) -> PowerCentrality:
    """The eigenvector of the largest eigenvalue, with length 1.

    A vertex has a large value if edges from vertices with large values lead to it.

    Parameters
    ----------
    graph : Matrix
    tolerance : float
        Stop when the mean change of a value in an iteration is less than this.
    max_iterations : int
    weighted : bool
        Multiply by the values of the matrix, which must not be negative.

    Raises
    ------
    NoConvergence
        Values still change by more after `max_iterations`.
    UsageError
        A matrix that is not square, an option out of range, a negative weight.
    """
    centrality, iterations = _core.eigenvector_centrality(
        core_of(graph), tolerance, max_iterations, weighted, progress
    )
    return PowerCentrality(Vector._wrap(centrality), iterations)


@shows_progress
def katz_centrality(graph: Matrix, *, alpha: float = 0.1, beta: float = 1.0,
                    tolerance: float = 1e-6, max_iterations: int = 1000, normalized: bool = True,
                    weighted: bool = False, progress: Progress = None) -> PowerCentrality:
    """Katz centrality: `beta` plus `alpha` times the values of the vertices with an edge to it.

    Parameters
    ----------
    graph : Matrix
    alpha : float
        The factor of an edge, not negative. There is a result if it is less than the inverse of the
        largest eigenvalue.
    beta : float
        The value of a vertex without incoming edges, not negative.
    tolerance : float
        Stop when the mean change of a value in an iteration is less than this.
    max_iterations : int
    normalized : bool
        Scale the result to length 1.
    weighted : bool
        Multiply by the values of the matrix, which must not be negative.

    Raises
    ------
    NoConvergence
        Values still change by more after `max_iterations`.
    UsageError
        A matrix that is not square, an option out of range, a negative weight.
    """
    centrality, iterations = _core.katz_centrality(
        core_of(graph), alpha, beta, tolerance, max_iterations, normalized, weighted, progress
    )
    return PowerCentrality(Vector._wrap(centrality), iterations)


class Hits(NamedTuple):
    """The result of hits()."""

    hubs: Vector  #: float64, full
    authorities: Vector  #: float64, full
    iterations: int


@shows_progress
def hits(graph: Matrix, *, tolerance: float = 1e-8, max_iterations: int = 100,
         normalized: bool = True, weighted: bool = False, progress: Progress = None) -> Hits:
    """Hubs and authorities: hubs have edges to good authorities, authorities from good hubs.

    Parameters
    ----------
    graph : Matrix
    tolerance : float
        Stop when the changes of all hubs in an iteration add up to less than this.
    max_iterations : int
    normalized : bool
        Scale both to a sum of 1, instead of a largest value of 1.
    weighted : bool
        Multiply by the values of the matrix, which must not be negative.

    Raises
    ------
    NoConvergence
        Values still change by more after `max_iterations`.
    UsageError
        A matrix that is not square, an option out of range, a negative weight.
    """
    hubs, authorities, iterations = _core.hits(
        core_of(graph), tolerance, max_iterations, normalized, weighted, progress
    )
    return Hits(Vector._wrap(hubs), Vector._wrap(authorities), iterations)
