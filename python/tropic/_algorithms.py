# SPDX-License-Identifier: Apache-2.0
"""Graph algorithms. A graph is a square Matrix; an entry (i, j) is an edge from i to j.

Every function takes ``progress``, a callable that receives the name of each step and the fraction
done, or None where that is not known; or True, for a bar of tqdm if that is installed. An exception
that a callable raises, and Ctrl+C, end the run at its next step and leave every container as it was.
Other threads of Python run meanwhile.
"""

from __future__ import annotations

import operator
from typing import Any, Iterable, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._errors import UsageError
from ._matrix import Matrix
from ._progress import Progress, shows_progress
from ._types import code_of
from ._vector import Vector


def _graph(given: Any) -> _core.Matrix:
    if not isinstance(given, Matrix):
        raise TypeError(f"a graph is a Matrix, found a {type(given).__name__}")
    return given._core


def _seed(given: int) -> int:
    seed = operator.index(given)
    if not 0 <= seed < 2**64:
        raise UsageError(f"seed is {seed}, needed 0 to 2**64 - 1")
    return seed


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
    level, parent, depth, reached = _core.bfs(_graph(graph), source, progress)
    return BFS(Vector._wrap(level), Vector._wrap(parent), depth, reached)


class ShortestPaths(NamedTuple):
    """The result of shortest_paths()."""

    distance: Vector  #: sums of weights; no entry where there is no path
    parent: Vector  #: the vertex before, int64; the source is its own. Empty without parents=True
    steps: int  #: products over the frontier
    saturated: int  #: number of distances that are not exact, since a sum was clamped


@shows_progress
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
        _graph(graph), damping, tolerance, max_iterations, iterations, weighted,
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
        _graph(graph), given, damping, tolerance, max_iterations, iterations, weighted,
        lose_dangling, single, progress
    )
    return PageRankBatch(Vector._wrap(rank).to_numpy().reshape(given.shape),
                         np.array(counts, dtype=np.int64), np.array(changes, dtype=np.float64),
                         np.array(converged, dtype=bool))


class Components(NamedTuple):
    """The result of connected_components() and strong_components()."""

    label: Vector  #: the smallest vertex of the component, int64, full
    components: int  #: number of components


@shows_progress
def connected_components(graph: Matrix, *, progress: Progress = None) -> Components:
    """The weakly connected components: edges count in both directions."""
    label, count = _core.connected_components(_graph(graph), progress)
    return Components(Vector._wrap(label), count)


@shows_progress
def triangle_count(graph: Matrix, *, progress: Progress = None) -> int:
    """The number of triangles; edges count in both directions, loops do not."""
    return _core.triangle_count(_graph(graph), progress)


@shows_progress
def triangles_per_vertex(graph: Matrix, *, progress: Progress = None) -> Vector:
    """The number of triangles of every vertex, int64, without entries where there are none."""
    return Vector._wrap(_core.triangles_per_vertex(_graph(graph), progress))


@shows_progress
def strong_components(graph: Matrix, *, progress: Progress = None) -> Components:
    """The strongly connected components: two vertices of one reach each other.

    Weights and loops are ignored. Raises UsageError if the matrix is not square.
    """
    label, count = _core.strong_components(_graph(graph), progress)
    return Components(Vector._wrap(label), count)


class CoreNumbers(NamedTuple):
    """The result of core_numbers()."""

    core: Vector  #: the largest k whose k-core contains the vertex, int64, full
    degeneracy: int  #: the largest core number
    rounds: int  #: number of products


@shows_progress
def core_numbers(graph: Matrix, *, progress: Progress = None) -> CoreNumbers:
    """The core number of every vertex.

    The k-core is the largest part in which every vertex has k neighbours or more. Edges count in
    both directions, weights and loops do not count. Raises UsageError if the matrix is not square.
    """
    core, degeneracy, rounds = _core.core_numbers(_graph(graph), progress)
    return CoreNumbers(Vector._wrap(core), degeneracy, rounds)


@shows_progress
def local_clustering(graph: Matrix, *, progress: Progress = None) -> Vector:
    """The local clustering coefficient of every vertex, float64, full, from 0 to 1.

    As LDBC Graphalytics defines it: of the ordered pairs of neighbours, by edges of either direction,
    the part that has an edge. Weights and loops are ignored. Of a symmetric matrix it is that of the
    undirected graph. Raises UsageError if the matrix is not square.
    """
    return Vector._wrap(_core.local_clustering(_graph(graph), progress))


class KTruss(NamedTuple):
    """The result of k_truss()."""

    support: Matrix  #: the truss, both directions of every edge: its number of triangles, uint32
    edges: int  #: number of edges, each counted once
    rounds: int  #: number of products


@shows_progress
def k_truss(graph: Matrix, k: int, *, progress: Progress = None) -> KTruss:
    """The largest part in which every edge belongs to k - 2 triangles or more.

    Edges count in both directions, weights and loops do not count. Raises UsageError if the matrix is
    not square, or k is less than 3.
    """
    support, edges, rounds = _core.k_truss(_graph(graph), k, progress)
    return KTruss(Matrix._wrap(support), edges, rounds)


class IndependentSet(NamedTuple):
    """The result of maximal_independent_set()."""

    members: Vector  #: True for every vertex of the set, bool; no entry for others
    size: int  #: number of members
    rounds: int


@shows_progress
def maximal_independent_set(graph: Matrix, *, seed: int = 0,
                            progress: Progress = None) -> IndependentSet:
    """Vertices of which no two are linked, to which none can be added.

    Edges count in both directions, weights and loops do not count. The result depends on the graph
    and the seed, 0 to 2**64 - 1, only. Raises UsageError if the matrix is not square.
    """
    members, size, rounds = _core.maximal_independent_set(_graph(graph), _seed(seed), progress)
    return IndependentSet(Vector._wrap(members), size, rounds)


class Coloring(NamedTuple):
    """The result of greedy_coloring()."""

    color: Vector  #: from 0 on, int64, full
    colors: int  #: number of colours
    rounds: int


@shows_progress
def greedy_coloring(graph: Matrix, *, seed: int = 0, progress: Progress = None) -> Coloring:
    """Colours such that the ends of every edge have different ones.

    At most as many as the largest degree and one. Edges count in both directions, weights and loops do
    not count. The result depends on the graph and the seed, 0 to 2**64 - 1, only. Raises UsageError if
    the matrix is not square.
    """
    color, colors, rounds = _core.greedy_coloring(_graph(graph), _seed(seed), progress)
    return Coloring(Vector._wrap(color), colors, rounds)


class SpanningForest(NamedTuple):
    """The result of minimum_spanning_forest()."""

    forest: Matrix  #: an entry (i, j), i < j, for every edge: its weight, of the graph's dtype
    edges: int  #: number of edges
    trees: int  #: number of trees, with vertices that have no edge
    weight: float  #: sum of the weights
    rounds: int


@shows_progress
def minimum_spanning_forest(graph: Matrix, *, progress: Progress = None) -> SpanningForest:
    """Edges of least total weight that link what the graph links.

    Edges count in both directions, of two between the same vertices the lighter one; loops do not
    count. Of equal weights the edge with the smaller vertices is preferred. Raises UsageError if the
    matrix is not square, or a weight is NaN.
    """
    forest, *numbers = _core.minimum_spanning_forest(_graph(graph), progress)
    return SpanningForest(Matrix._wrap(forest), *numbers)


class Betweenness(NamedTuple):
    """The result of betweenness()."""

    centrality: Vector  #: float64, full
    sources: int  #: number of vertices whose paths were counted
    by_logarithms: int  #: number of sources whose path counts exceed float64


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
        _graph(graph), None if sources is None else [operator.index(v) for v in sources],
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
    return Vector._wrap(_core.closeness(_graph(graph), wf_improved, progress))


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
        The mean change of a value in an iteration at which to stop.
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
        _graph(graph), tolerance, max_iterations, weighted, progress
    )
    return PowerCentrality(Vector._wrap(centrality), iterations)


@shows_progress
def katz_centrality(graph: Matrix, *, alpha: float = 0.1, beta: float = 1.0,
                    tolerance: float = 1e-6, max_iterations: int = 1000, normalized: bool = True,
                    weighted: bool = False, progress: Progress = None) -> PowerCentrality:
    """Katz centrality: `beta`, and `alpha` times the sum over the vertices with an edge to it.

    Parameters
    ----------
    graph : Matrix
    alpha : float
        The factor of an edge, not negative. There is a result if it is less than the inverse of the
        largest eigenvalue.
    beta : float
        The value of a vertex without edges, not negative.
    tolerance : float
        The mean change of a value in an iteration at which to stop.
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
        _graph(graph), alpha, beta, tolerance, max_iterations, normalized, weighted, progress
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
        The sum of the changes of all hubs in an iteration at which to stop.
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
        _graph(graph), tolerance, max_iterations, normalized, weighted, progress
    )
    return Hits(Vector._wrap(hubs), Vector._wrap(authorities), iterations)


class LabelPropagation(NamedTuple):
    """The result of label_propagation()."""

    label: Vector  #: the number of a vertex, int64, full
    iterations: int  #: that changed a label
    labels: int  #: number of different labels


@shows_progress
def label_propagation(graph: Matrix, *, iterations: int = 10,
                      progress: Progress = None) -> LabelPropagation:
    """Communities as LDBC Graphalytics defines them (CDLP).

    In an iteration all vertices take the most frequent label of their neighbours, of several the
    smallest; a neighbour by edges in both directions of a directed graph counts twice. A matrix that
    is known to be symmetric (Matrix.assume_symmetric) is an undirected graph. Weights are ignored; a
    loop makes a vertex its own neighbour. Raises UsageError if the matrix is not square, or for less
    than 0 iterations.
    """
    label, count, labels = _core.label_propagation(_graph(graph), iterations, progress)
    return LabelPropagation(Vector._wrap(label), count, labels)


class Louvain(NamedTuple):
    """The result of louvain()."""

    community: Vector  #: the smallest vertex of the community, int64, full
    communities: int  #: number of communities
    levels: int  #: in which a vertex moved
    modularity: float


@shows_progress
def louvain(graph: Matrix, *, resolution: float = 1.0, weighted: bool = False,
            progress: Progress = None) -> Louvain:
    """Communities of large modularity, by the method of Louvain.

    Edges count in both directions, one in both of them twice unless the matrix is known to be
    symmetric. Vertices move in the order of their numbers; nothing is random.

    Parameters
    ----------
    graph : Matrix
    resolution : float
        More than 1: smaller communities; not negative.
    weighted : bool
        Edges count by their values, which must not be negative.

    Raises
    ------
    UsageError
        A matrix that is not square, a negative weight or resolution.
    """
    community, *numbers = _core.louvain(_graph(graph), resolution, weighted, progress)
    return Louvain(Vector._wrap(community), *numbers)


class Leiden(NamedTuple):
    """The result of leiden()."""

    community: Vector  #: the smallest vertex of the community, int64, full
    communities: int  #: number of communities
    levels: int  #: aggregations, of all iterations
    iterations: int
    modularity: float


@shows_progress
def leiden(graph: Matrix, *, resolution: float = 1.0, weighted: bool = False, iterations: int = 10,
           progress: Progress = None) -> Leiden:
    """Communities of large modularity that are connected, by the method of Leiden.

    Edges count as in louvain(). Vertices move in the order of their numbers; nothing is random.

    Parameters
    ----------
    graph : Matrix
    resolution : float
        More than 1: smaller communities; not negative.
    weighted : bool
        Edges count by their values, which must not be negative.
    iterations : int
        At most so many repetitions of all levels, from the communities found; at least 1.

    Raises
    ------
    UsageError
        A matrix that is not square, a negative weight or resolution, less than 1 iteration.
    """
    community, *numbers = _core.leiden(_graph(graph), resolution, weighted, iterations, progress)
    return Leiden(Vector._wrap(community), *numbers)


class Diameter(NamedTuple):
    """The result of diameter()."""

    lower: int
    upper: int
    source: int  #: a vertex with a vertex, target, at distance lower; -1 without vertices
    target: int
    searches: int  #: from one vertex each


@shows_progress
def diameter(graph: Matrix, *, exact: bool = False, progress: Progress = None) -> Diameter:
    """Bounds of the largest number of edges on a shortest path between connected vertices.

    Edges count in both directions, weights do not count. exact=True searches until both bounds are
    equal. Raises UsageError if the matrix is not square.
    """
    return Diameter(*_core.diameter(_graph(graph), exact, progress))


@shows_progress
def similarity(graph: Matrix, sources: Sequence[int], targets: Sequence[int], *,
               measure: str = "jaccard", progress: Progress = None) -> Vector:
    """How many neighbours the vertices of given pairs share: float64, a value for each pair.

    Parameters
    ----------
    graph : Matrix
        Entry (i, j) makes j a neighbour of i; loops and values do not count.
    sources, targets : sequence of int
        The vertices of the pairs, equally many.
    measure : str
        "jaccard", of the neighbours of either; "overlap", of the smaller neighbourhood; "cosine", of
        the geometric mean.

    Raises
    ------
    UsageError
        A matrix that is not square, an unknown measure, a vertex out of range, different lengths.
    """
    return Vector._wrap(_core.similarity(_graph(graph), [operator.index(v) for v in sources],
                                         [operator.index(v) for v in targets], measure, progress))


@shows_progress
def similar_pairs(graph: Matrix, *, measure: str = "jaccard", threshold: float = 0.0, top: int = 0,
                  progress: Progress = None) -> Matrix:
    """The similarity of all pairs of vertices that share a neighbour: float64, vertices x vertices.

    Parameters
    ----------
    graph : Matrix
        As for similarity().
    measure : str
        As for similarity().
    threshold : float
        Only pairs with this value or more.
    top : int
        For every vertex only so many, those with the largest values; 0: all.

    Raises
    ------
    UsageError
        A matrix that is not square, an unknown measure, an option out of range.
    """
    return Matrix._wrap(_core.similar_pairs(_graph(graph), measure, threshold, top, progress))


@shows_progress
def modularity(graph: Matrix, community: Vector, *, resolution: float = 1.0, weighted: bool = False,
               progress: Progress = None) -> float:
    """The modularity of a partition, as NetworkX defines it.

    Parameters
    ----------
    graph : Matrix
        Known to be symmetric (Matrix.assume_symmetric): an undirected graph.
    community : Vector
        int64 and full, numbers of vertices; equal ones belong together.
    resolution : float
        Not negative.
    weighted : bool
        Edges count by their values, which must not be negative.

    Raises
    ------
    UsageError
        A matrix that is not square, a vector that is not as above, a negative weight or resolution.
    """
    if not isinstance(community, Vector):
        raise TypeError(f"community is a {type(community).__name__}, needed a Vector")
    return _core.modularity(_graph(graph), community._core, resolution, weighted, progress)
