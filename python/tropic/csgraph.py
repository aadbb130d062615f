# SPDX-License-Identifier: Apache-2.0
"""Functions of scipy.sparse.csgraph with the same signatures and results, on all cores.

A graph is what SciPy takes: a sparse array, also of PyData Sparse, or a dense one where 0, inf and nan
are no edges; or a Matrix. Where several predecessors are equally good, another one than SciPy's may be
given. ``indices=None`` means all vertices as in SciPy, one run for each.

Every other name of scipy.sparse.csgraph, such as NegativeCycleError and maximum_flow, is SciPy's own.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _algorithms as algorithms
from ._errors import NegativeCycle, UsageError
from ._matrix import Matrix
from ._vector import Vector

__all__ = [
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "minimum_spanning_tree",
    "shortest_path",
]

_NONE = -9999  # SciPy's number for no predecessor


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from scipy.sparse import csgraph as scipy_csgraph
    except ImportError as cause:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}, and SciPy, which may have it, is not "
            "installed"
        ) from cause
    try:
        return getattr(scipy_csgraph, name)
    except AttributeError:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}, nor has scipy.sparse.csgraph"
        ) from None


def _graph(csgraph: Any, directed: bool, unweighted: bool = False) -> Matrix:
    """The graph over float64; without `directed` with the lighter edge in both directions."""
    from scipy import sparse
    from scipy.sparse import csgraph as scipy_csgraph

    if isinstance(csgraph, Matrix):
        result = csgraph.astype("float64")
    elif sparse.issparse(csgraph):
        result = Matrix.from_scipy(csgraph.astype(np.float64))
    elif hasattr(csgraph, "to_scipy_sparse"):  # of PyData Sparse
        no_edge = [0, np.inf, np.nan]
        given = csgraph.to_scipy_sparse(accept_fv=no_edge).astype(np.float64)
        result = Matrix.from_scipy(given)
    else:
        result = Matrix.from_scipy(scipy_csgraph.csgraph_from_dense(np.asarray(csgraph, dtype=float)))
    if result.shape[0] != result.shape[1]:
        raise UsageError(f"a graph has as many rows as columns, found {result.shape}")
    if unweighted:
        result = result.apply("one")
    if not directed and not result.is_symmetric:
        result = result.ewise_add(result.transpose(), "minimum")
        result.assume_symmetric()
    return result


def _sources(indices: Any, count: int) -> "np.ndarray[Any, Any]":
    # In the shape of the argument.
    given = np.arange(count) if indices is None else np.asarray(indices)
    if not np.issubdtype(given.dtype, np.integer):
        raise UsageError(f"indices are vertices, found {given.dtype}")
    result = np.where(given < 0, given + count, given)
    if ((result < 0) | (result >= count)).any():
        raise UsageError(f"indices out of range 0 to {count - 1}: {given}")
    return result


def _paths(matrix: Matrix, source: int, limit: float,
           predecessors: bool) -> "tuple[np.ndarray[Any, Any], Optional[np.ndarray[Any, Any]]]":
    from scipy.sparse.csgraph import NegativeCycleError

    try:
        found = algorithms.shortest_paths(matrix, source, parents=predecessors, limit=limit)
    except NegativeCycle as cause:
        raise NegativeCycleError(str(cause)) from cause
    distance = np.array(found.distance.to_numpy(np.inf))
    if not predecessors:
        return distance, None
    parent = found.parent.to_numpy(_NONE).astype(np.int32)
    parent[source] = _NONE
    return distance, parent


def _with_start(matrix: Matrix, vertices: "np.ndarray[Any, Any]") -> Matrix:
    """The graph with one more vertex, the last one, and edges of weight 0 from it to these."""
    count = matrix.shape[0]
    result = matrix.copy()
    result.resize(count + 1, count + 1)
    result.assign(0, [count], vertices)
    return result


def _paths_from_nearest(matrix: Matrix, indices: Any, predecessors: bool, limit: float) -> Any:
    # One search, from a vertex before all sources.
    count = matrix.shape[0]
    sources = np.unique(_sources(indices, count))
    if len(sources) == 1:
        start = int(sources[0])
    else:
        matrix, start = _with_start(matrix, sources), count
    distance, parent = _paths(matrix, start, limit, predecessors)
    distance = distance[:count]
    if parent is None:
        return distance
    parent = parent[:count]
    parent[parent == count] = _NONE
    # The first vertex of each path, by parents of parents.
    origin = np.where(parent == _NONE, np.arange(count), parent)
    while True:
        further = origin[origin]
        if np.array_equal(further, origin):
            break
        origin = further
    origin[np.isinf(distance)] = _NONE
    return distance, parent, origin.astype(np.int32)


def _all_paths(matrix: Matrix, indices: Any, predecessors: bool, limit: float) -> Any:
    count = matrix.shape[0]
    given = _sources(indices, count)
    sources = given.ravel()
    distances = np.empty((len(sources), count))
    parents: Any = np.empty((len(sources), count), dtype=np.int32) if predecessors else None
    for row, source in enumerate(sources.tolist()):
        distances[row], parent = _paths(matrix, source, limit, predecessors)
        if parents is not None:
            parents[row] = parent
    shape = (*given.shape, count)
    distances = distances.reshape(shape)
    return distances if parents is None else (distances, parents.reshape(shape))


def dijkstra(csgraph: Any, directed: bool = True, indices: Any = None,
             return_predecessors: bool = False, unweighted: bool = False, limit: float = np.inf,
             min_only: bool = False) -> Any:
    """As scipy.sparse.csgraph.dijkstra; negative weights raise ValueError.

    With `min_only` there is one search from all sources. Searches end at `limit`.
    """
    if not limit >= 0:
        raise UsageError(f"limit is {limit}, needed 0 or more")
    matrix = _graph(csgraph, directed, unweighted)
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        raise UsageError("dijkstra: a weight is negative; bellman_ford takes those")
    if min_only:
        return _paths_from_nearest(matrix, indices, return_predecessors, limit)
    return _all_paths(matrix, indices, return_predecessors, limit)


def bellman_ford(csgraph: Any, directed: bool = True, indices: Any = None,
                 return_predecessors: bool = False, unweighted: bool = False) -> Any:
    """As scipy.sparse.csgraph.bellman_ford; raises its NegativeCycleError."""
    matrix = _graph(csgraph, directed, unweighted)
    return _all_paths(matrix, indices, return_predecessors, np.inf)


def johnson(csgraph: Any, directed: bool = True, indices: Any = None,
            return_predecessors: bool = False, unweighted: bool = False) -> Any:
    """As scipy.sparse.csgraph.johnson; raises its NegativeCycleError.

    As bellman_ford, but a negative cycle is an error also where the vertices of `indices` do not
    reach it.
    """
    matrix = _graph(csgraph, directed, unweighted)
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        count = matrix.shape[0]
        _paths(_with_start(matrix, np.arange(count)), count, np.inf, False)
    return _all_paths(matrix, indices, return_predecessors, np.inf)


def floyd_warshall(csgraph: Any, directed: bool = True, return_predecessors: bool = False,
                   unweighted: bool = False, overwrite: bool = False) -> Any:
    """As scipy.sparse.csgraph.floyd_warshall, by searches from all vertices; raises its NegativeCycleError.

    Nothing is overwritten, which `overwrite` permits but does not ask for.
    """
    # As SciPy's, which sets the diagonal to 0: a loop is no cycle.
    matrix = _graph(csgraph, directed, unweighted).select("off_the_diagonal")
    return _all_paths(matrix, None, return_predecessors, np.inf)


def shortest_path(csgraph: Any, method: str = "auto", directed: bool = True,
                  return_predecessors: bool = False, unweighted: bool = False,
                  overwrite: bool = False, indices: Any = None) -> Any:
    """As scipy.sparse.csgraph.shortest_path.

    The method "D" refuses negative weights, "FW" is floyd_warshall, "BF" bellman_ford; "auto" and "J"
    are johnson. Nothing is overwritten, which `overwrite` permits but does not ask for.
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise UsageError(f"method is {method!r}, needed 'auto', 'FW', 'D', 'BF' or 'J'")
    if method == "FW" and indices is not None:
        raise UsageError("the method 'FW' searches from all vertices: omit indices")
    if method == "FW":
        return floyd_warshall(csgraph, directed, return_predecessors, unweighted)
    run = {"D": dijkstra, "BF": bellman_ford}.get(method, johnson)
    return run(csgraph, directed, indices, return_predecessors, unweighted)


def breadth_first_order(csgraph: Any, i_start: int, directed: bool = True,
                        return_predecessors: bool = True) -> Any:
    """As scipy.sparse.csgraph.breadth_first_order, in the same order if indices of rows are sorted."""
    matrix = _graph(csgraph, directed=True, unweighted=True).astype("int64")
    both = not directed and not matrix.is_symmetric
    count = matrix.shape[0]
    if not 0 <= i_start < count:
        raise UsageError(f"i_start is {i_start}, the graph has {count} vertices")
    order = [np.array([i_start])]
    parent = np.full(count, _NONE, dtype=np.int32)
    visited = Vector.from_entries(order[0], [True], count)
    listed = 0
    while True:
        # The neighbours of the last level, each with twice the first place that reaches it; and one
        # more by an incoming edge, which SciPy lists after the outgoing ones.
        last = order[-1]
        places = np.arange(listed, listed + len(last))
        listed += len(last)
        frontier = Vector.from_entries(last, 2 * places, count)
        reached = frontier.vxm(matrix, "min_first", mask=~visited.structure)
        if both:
            incoming = frontier.apply("plus", right=1)
            reached = reached.ewise_add(
                incoming.vxm(matrix.T, "min_first", mask=~visited.structure), "minimum"
            )
        at, place = reached.to_entries()
        if len(at) == 0:
            break
        sequence = np.argsort(place, kind="stable")
        parent[at] = last[place // 2 - places[0]]
        order.append(at[sequence].astype(np.int64))
        visited.assign(True, at)
    nodes = np.concatenate(order).astype(np.int32)
    return (nodes, parent) if return_predecessors else nodes


def breadth_first_tree(csgraph: Any, i_start: int, directed: bool = True) -> Any:
    """As scipy.sparse.csgraph.breadth_first_tree: the edges that breadth_first_order follows."""
    from scipy.sparse import csgraph as scipy_csgraph

    _, predecessors = breadth_first_order(csgraph, i_start, directed)
    given = csgraph.to_scipy() if isinstance(csgraph, Matrix) else csgraph
    return scipy_csgraph.reconstruct_path(given, predecessors, directed)


def connected_components(csgraph: Any, directed: bool = True, connection: str = "weak",
                         return_labels: bool = True) -> Any:
    """As scipy.sparse.csgraph.connected_components; labels ascend with the first vertices.

    SciPy numbers strong components in another order.
    """
    if connection not in ("weak", "strong"):
        raise UsageError(f"connection is {connection!r}, needed 'weak' or 'strong'")
    strong = directed and connection == "strong"
    find = algorithms.strong_components if strong else algorithms.connected_components
    found = find(_graph(csgraph, directed=True))
    if not return_labels:
        return found.components
    labels = np.unique(found.label.to_numpy(), return_inverse=True)[1].astype(np.int32)
    return found.components, labels


def _compressed(csgraph: Any) -> Any:
    """The class of SciPy's results for a graph: an array or a matrix, as the graph is."""
    from scipy import sparse
    from scipy.sparse import csgraph as scipy_csgraph

    if sparse.issparse(csgraph):
        return sparse.csr_array if isinstance(csgraph, sparse.sparray) else sparse.csr_matrix
    if isinstance(csgraph, Matrix) or hasattr(csgraph, "to_scipy_sparse"):
        return sparse.csr_array
    return type(scipy_csgraph.csgraph_from_dense(np.zeros((1, 1))))


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> Any:
    """As scipy.sparse.csgraph.minimum_spanning_tree: an array of float64, CSR; a matrix for a matrix.

    Of equal weights the edge with the smaller vertices is preferred. Edges have the direction of the
    lighter entry; as in SciPy those of weight 0 are not in the result. Nothing is overwritten, which
    `overwrite` permits but does not ask for.
    """
    matrix = _graph(csgraph, directed=True)
    i, j, weight = algorithms.minimum_spanning_forest(matrix).forest.to_coo()
    entries = matrix.to_scipy()
    along = np.asarray(entries[i, j]).ravel() == weight if len(i) else np.empty(0, dtype=bool)
    places = np.where(along, i, j), np.where(along, j, i)
    result = _compressed(csgraph)((weight, places), shape=matrix.shape)
    result.eliminate_zeros()
    if hasattr(csgraph, "to_scipy_sparse"):
        return type(csgraph).from_scipy_sparse(result, fill_value=csgraph.fill_value)
    return result
