# SPDX-License-Identifier: Apache-2.0
"""Communities and similarity."""

from __future__ import annotations

import operator
from typing import NamedTuple, Sequence

from .. import _core
from .._matrix import Matrix
from .._progress import Progress, shows_progress
from .._vector import Vector
from .arguments import core_of

__all__ = [
    "LabelPropagation",
    "Leiden",
    "Louvain",
    "label_propagation",
    "leiden",
    "louvain",
    "modularity",
    "similar_pairs",
    "similarity",
]


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
    label, count, labels = _core.label_propagation(core_of(graph), iterations, progress)
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
    symmetric: the modularity of a directed graph A is that of the undirected graph A + A'. Nothing
    is random.

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
    community, *numbers = _core.louvain(core_of(graph), resolution, weighted, progress)
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

    Edges count as in louvain(). Vertices move in a random order that is the same in every run.

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
    community, *numbers = _core.leiden(core_of(graph), resolution, weighted, iterations, progress)
    return Leiden(Vector._wrap(community), *numbers)


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
    return _core.modularity(core_of(graph), community._core, resolution, weighted, progress)


@shows_progress
def similarity(graph: Matrix, sources: Sequence[int], targets: Sequence[int], *,
               measure: str = "jaccard", progress: Progress = None) -> Vector:
    """The similarity of given pairs of vertices by shared neighbours: float64, one value per pair.

    Parameters
    ----------
    graph : Matrix
        Entry (i, j) makes j a neighbour of i; loops and values do not count.
    sources, targets : sequence of int
        The vertices of the pairs, equally many.
    measure : str
        The number of shared neighbours is divided by: "jaccard", the number of neighbours of
        either; "overlap", the size of the smaller neighbourhood; "cosine", the geometric mean of
        both sizes.

    Raises
    ------
    UsageError
        A matrix that is not square, an unknown measure, a vertex out of range, different lengths.
    """
    return Vector._wrap(_core.similarity(core_of(graph), [operator.index(v) for v in sources],
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
    return Matrix._wrap(_core.similar_pairs(core_of(graph), measure, threshold, top, progress))
