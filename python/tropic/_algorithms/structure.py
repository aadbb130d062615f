# SPDX-License-Identifier: Apache-2.0
"""Components, triangles, dense subgraphs, independent sets and colorings."""

from __future__ import annotations

from typing import NamedTuple

from .. import _core
from .._matrix import Matrix
from .._progress import Progress, shows_progress
from .._vector import Vector
from .arguments import checked_seed, core_of

__all__ = [
    "Coloring",
    "Components",
    "CoreNumbers",
    "IndependentSet",
    "KTruss",
    "connected_components",
    "core_numbers",
    "greedy_coloring",
    "k_truss",
    "local_clustering",
    "maximal_independent_set",
    "strong_components",
    "triangle_count",
    "triangles_per_vertex",
]


class Components(NamedTuple):
    """The result of connected_components() and strong_components()."""

    label: Vector  #: the smallest vertex of the component, int64, full
    components: int  #: number of components


@shows_progress
def connected_components(graph: Matrix, *, progress: Progress = None) -> Components:
    """The weakly connected components: edges count in both directions."""
    label, count = _core.connected_components(core_of(graph), progress)
    return Components(Vector._wrap(label), count)


@shows_progress
def strong_components(graph: Matrix, *, progress: Progress = None) -> Components:
    """The strongly connected components: two vertices of one reach each other.

    Weights and loops are ignored. Raises UsageError if the matrix is not square.
    """
    label, count = _core.strong_components(core_of(graph), progress)
    return Components(Vector._wrap(label), count)


@shows_progress
def triangle_count(graph: Matrix, *, progress: Progress = None) -> int:
    """The number of triangles; edges count in both directions, loops do not."""
    return _core.triangle_count(core_of(graph), progress)


@shows_progress
def triangles_per_vertex(graph: Matrix, *, progress: Progress = None) -> Vector:
    """The number of triangles of every vertex, int64, without entries where there are none."""
    return Vector._wrap(_core.triangles_per_vertex(core_of(graph), progress))


@shows_progress
def local_clustering(graph: Matrix, *, progress: Progress = None) -> Vector:
    """The local clustering coefficient of every vertex, float64, full, from 0 to 1.

    As LDBC Graphalytics defines it: of the ordered pairs of neighbours, by edges of either direction,
    the part that has an edge. Weights and loops are ignored. Of a symmetric matrix it is that of the
    undirected graph. Raises UsageError if the matrix is not square.
    """
    return Vector._wrap(_core.local_clustering(core_of(graph), progress))


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
    core, degeneracy, rounds = _core.core_numbers(core_of(graph), progress)
    return CoreNumbers(Vector._wrap(core), degeneracy, rounds)


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
    support, edges, rounds = _core.k_truss(core_of(graph), k, progress)
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
    members, size, rounds = _core.maximal_independent_set(core_of(graph), checked_seed(seed), progress)
    return IndependentSet(Vector._wrap(members), size, rounds)


class Coloring(NamedTuple):
    """The result of greedy_coloring()."""

    color: Vector  #: from 0 on, int64, full
    colors: int  #: number of colours
    rounds: int


@shows_progress
def greedy_coloring(graph: Matrix, *, seed: int = 0, progress: Progress = None) -> Coloring:
    """Colours such that the ends of every edge have different ones.

    There are at most as many colours as the largest degree plus one. Edges count in both
    directions, weights and loops do not count. The result depends only on the graph and the seed,
    0 to 2**64 - 1. Raises UsageError if the matrix is not square.
    """
    color, colors, rounds = _core.greedy_coloring(core_of(graph), checked_seed(seed), progress)
    return Coloring(Vector._wrap(color), colors, rounds)
