# SPDX-License-Identifier: Apache-2.0
"""PageRank and centralities of the backend for NetworkX."""

from __future__ import annotations

from typing import Any, Callable

import networkx as nx
import numpy as np

from . import _algorithms as algorithms
from ._errors import Error, NoConvergence
from ._matrix import Matrix
from ._networkx_graph import Graph
from ._networkx_searches import _levels
from ._vector import Vector


# --- PageRank

def pagerank(G: Graph, alpha: float = 0.85, personalization: Any = None, max_iter: int = 100,
             tol: float = 1.0e-6, nstart: Any = None, weight: Any = "weight",
             dangling: Any = None) -> dict[Any, float]:
    count = len(G)
    if count == 0:
        return {}
    # A conversion that NetworkX has kept may have weights that this call does not use.
    matrix = G.matrix("count" if weight is None else "sum")
    if matrix.nvals and not matrix.reduce("minimum") >= 0:
        raise NotImplementedError("tropic: negative weights")
    preference = None
    if personalization is not None:
        given = [personalization.get(node, 0) for node in G.nodes]
        if sum(given) == 0:
            raise ZeroDivisionError
        preference = Vector.from_array(np.array(given, dtype=np.float64))
    try:
        found = algorithms.pagerank(matrix, damping=alpha, tolerance=count * tol,
                                    max_iterations=max_iter, weighted=True, preference=preference)
    except Error as cause:  # an argument that NetworkX does not check
        raise NotImplementedError(f"tropic: {cause}") from cause
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, found.rank.to_numpy().tolist()))


# --- centralities

def betweenness_centrality(G: Graph, k: Any = None, normalized: bool = True, weight: Any = None,
                           endpoints: bool = False, seed: Any = None) -> dict[Any, float]:
    found = algorithms.betweenness(G.matrix("pattern"), normalized=bool(normalized),
                                   endpoints=bool(endpoints), directed=G.is_directed())
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def closeness_centrality(G: Graph, u: Any = None, distance: Any = None,
                         wf_improved: bool = True, *, sp: Any = None) -> Any:
    if u is None:
        found = algorithms.closeness(G.matrix("pattern"), wf_improved=bool(wf_improved))
        return dict(zip(G.nodes, found.to_numpy().tolist()))
    if u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    to_u = _levels(G, G.reversed_pattern(), u)
    total, others = sum(to_u.values()), len(to_u) - 1
    if total == 0:
        return 0.0
    return others / total * (others / (len(G) - 1) if wf_improved else 1.0)


def _iterated(graph: Graph, weight: Any, max_iter: int, run: Callable[[Matrix, bool], Any]) -> Any:
    # The result of run(matrix, whether it is weighted).
    try:
        return run(graph.matrix("pattern" if weight is None else "sum"), weight is not None)
    except NoConvergence as cause:
        raise nx.PowerIterationFailedConvergence(max_iter) from cause
    except Error as cause:  # negative weights, or an argument that NetworkX does not check
        raise NotImplementedError(f"tropic: {cause}") from cause


def eigenvector_centrality(G: Graph, max_iter: int = 100, tol: float = 1.0e-6, nstart: Any = None,
                           weight: Any = None) -> dict[Any, float]:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    found = _iterated(G, weight, max_iter, lambda matrix, weighted: algorithms.eigenvector_centrality(
        matrix, tolerance=tol, max_iterations=max_iter, weighted=weighted
    ))
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def katz_centrality(G: Graph, alpha: float = 0.1, beta: Any = 1.0, max_iter: int = 1000,
                    tol: float = 1.0e-6, nstart: Any = None, normalized: bool = True,
                    weight: Any = None) -> dict[Any, float]:
    if len(G) == 0:
        return {}
    found = _iterated(G, weight, max_iter, lambda matrix, weighted: algorithms.katz_centrality(
        matrix, alpha=alpha, beta=beta, tolerance=tol, max_iterations=max_iter,
        normalized=bool(normalized), weighted=weighted
    ))
    return dict(zip(G.nodes, found.centrality.to_numpy().tolist()))


def hits(G: Graph, max_iter: int = 100, tol: float = 1.0e-8, nstart: Any = None,
         normalized: bool = True, *,
         method: str = "svd") -> tuple[dict[Any, float], dict[Any, float]]:
    # NetworkX before 3.7 has no `method` and calls ARPACK, as the method svd does.
    if method not in ("power_iteration", "svd"):
        raise ValueError(f"method not supported: {method}")
    if len(G) == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    matrix = G.matrix("sum")
    if len(G) < 3 or matrix.nvals == 0 or matrix.reduce("maximum") == 0:
        raise NotImplementedError("tropic: fewer than 3 nodes, or no weight above 0")
    try:
        # An iteration of ARPACK is a restart, with 20 products.
        iterations = 20 * max_iter if method == "svd" else max_iter
        found = algorithms.hits(matrix, tolerance=tol, max_iterations=iterations, weighted=True)
    except Error as cause:  # also no convergence: NetworkX's method may find a result
        raise NotImplementedError(f"tropic: {cause}") from cause
    return (dict(zip(G.nodes, found.hubs.to_numpy().tolist())),
            dict(zip(G.nodes, found.authorities.to_numpy().tolist())))
