# SPDX-License-Identifier: Apache-2.0
"""The packages that bench/python.py compares. Each makes its own graph of a case, and has for each task a
function of the sources, and one that makes an array of its result; packages are imported when they are
used."""

import numpy as np

import tropic


def by_vertex(case, distances):
    """A dictionary of distances from a vertex as an array, -1 where there is none."""
    result = np.full(case.count, -1.0)
    result[list(distances.keys())] = list(distances.values())
    return result


def finite(rows):
    rows = np.array(rows, dtype=float)
    rows[~np.isfinite(rows)] = -1
    return rows


class Tropic:
    name = "Tropic"

    def __init__(self, case):
        graph = case.matrix
        self.tasks = {
            "pagerank": lambda s: tropic.pagerank(graph, tolerance=1e-6),
            "bfs": lambda s: [tropic.bfs(graph, v) for v in s],
            "paths": lambda s: [tropic.shortest_paths(graph, v, parents=False) for v in s],
            "components": lambda s: tropic.connected_components(graph),
            "triangles": lambda s: tropic.triangle_count(graph),
            "betweenness": lambda s: tropic.betweenness(graph, sources=s),
            "cores": lambda s: tropic.core_numbers(graph),
        }
        self.results = {
            "pagerank": lambda r: r.rank.to_numpy(),
            "bfs": lambda r: np.array([x.level.to_numpy(-1) for x in r], dtype=float),
            "paths": lambda r: np.array([x.distance.to_numpy(-1) for x in r]),
            "components": lambda r: r.label.to_numpy(),
            "triangles": lambda r: r,
            "betweenness": lambda r: sums_of_sample(case, r.centrality.to_numpy()),
            "cores": lambda r: r.core.to_numpy(),
        }


def sums_of_sample(case, centrality):
    """In proportion to plain sums over the sources: NetworkX's scale of a sample is another one for the
    sources, of which one less can have a path through it."""
    centrality = np.array(centrality)
    centrality[case.sources] *= 1 - 1 / len(case.sources)
    return centrality


class NetworkX:
    name = "NetworkX"
    options = {"backend": "networkx"}

    def __init__(self, case):
        import networkx as nx

        self.nx = nx
        self.graph = graph = networkx_graph(nx, case)
        chosen = self.options
        self.tasks = {
            "pagerank": lambda s: nx.pagerank(graph, tol=1e-6 / case.count, weight=None, **chosen),
            "bfs": lambda s: [nx.single_source_shortest_path_length(graph, v, **chosen) for v in s],
            "paths": lambda s: [nx.single_source_dijkstra_path_length(graph, v, **chosen) for v in s],
            "components": lambda s: list(nx.connected_components(graph, **chosen)),
            "triangles": lambda s: sum(nx.triangles(graph, **chosen).values()) // 3,
            "betweenness": lambda s: nx.betweenness_centrality_subset(graph, s, list(graph), **chosen),
            "cores": lambda s: nx.core_number(graph, **chosen),
        }
        self.results = {
            "pagerank": lambda r: by_vertex(case, r),
            "bfs": lambda r: np.array([by_vertex(case, x) for x in r]),
            "paths": lambda r: np.array([by_vertex(case, x) for x in r]),
            "components": lambda r: labels_of_sets(case, r),
            "triangles": lambda r: r,
            "betweenness": lambda r: by_vertex(case, r),
            "cores": lambda r: by_vertex(case, r),
        }


def networkx_graph(nx, case):
    """One for both: built once, as it takes long."""
    if not hasattr(case, "networkx"):
        case.networkx = nx.Graph()
        case.networkx.add_nodes_from(range(case.count))
        case.networkx.add_weighted_edges_from(
            zip(case.low.tolist(), case.high.tolist(), case.weights.tolist()))
    return case.networkx


def labels_of_sets(case, sets):
    labels = np.empty(case.count, dtype=np.int64)
    for members in sets:
        labels[list(members)] = min(members)
    return labels


class Backend(NetworkX):
    name = "backend"
    options = {"backend": "tropic"}

    def __init__(self, case):
        super().__init__(case)
        self.nx.config.warnings_to_ignore.add("cache")
        del self.tasks["betweenness"]  # of a sample is NetworkX's own


class SciPy:
    name = "SciPy"

    def __init__(self, case):
        from scipy import sparse
        from scipy.sparse import csgraph

        offsets, columns, weights = case.csr
        graph = sparse.csr_array((weights, columns, offsets), shape=(case.count, case.count))
        self.tasks = {
            "bfs": lambda s: [csgraph.breadth_first_order(graph, v) for v in s],
            "paths": lambda s: [csgraph.dijkstra(graph, indices=v) for v in s],
            "components": lambda s: csgraph.connected_components(graph, directed=False),
        }
        self.results = {
            "bfs": lambda r: np.array([levels_of_order(case, *x) for x in r]),
            "paths": finite,
            "components": lambda r: r[1],
        }


def levels_of_order(case, order, before):
    level = [-1.0] * case.count
    order, before = order.tolist(), before.tolist()
    level[order[0]] = 0.0
    for v in order[1:]:
        level[v] = level[before[v]] + 1
    return np.array(level)


class GraphBLAS:
    name = "python-graphblas"

    def __init__(self, case):
        import graphblas as gb
        import graphblas_algorithms as ga

        offsets, columns, weights = case.csr
        a = gb.Matrix.from_csr(offsets, columns, weights, ncols=case.count)
        weighted, pattern = ga.Graph(a), ga.Graph(gb.unary.one(a).new(dtype="INT64"))
        run = ga.algorithms
        self.tasks = {
            "pagerank": lambda s: run.pagerank(pattern, tol=1e-6 / case.count),
            "bfs": lambda s: [run.single_source_shortest_path_length(pattern, v) for v in s],
            "paths": lambda s: [run.single_source_bellman_ford_path_length(weighted, v) for v in s],
            "triangles": lambda s: run.total_triangles(pattern),
        }
        self.results = {
            "pagerank": lambda r: r.to_dense(0.0),
            "bfs": lambda r: np.array([x.to_dense(-1) for x in r], dtype=float),
            "paths": lambda r: np.array([x.to_dense(-1) for x in r], dtype=float),
            "triangles": int,
        }


class Igraph:
    name = "igraph"

    def __init__(self, case):
        import igraph

        graph = igraph.Graph(n=case.count, edges=case.listed_edges())
        weights = case.weights.tolist()
        self.tasks = {
            "pagerank": lambda s: graph.pagerank(),
            "bfs": lambda s: [graph.distances(v)[0] for v in s],
            "paths": lambda s: [graph.distances(v, weights=weights)[0] for v in s],
            "components": lambda s: graph.connected_components().membership,
            "triangles": lambda s: len(graph.list_triangles()),
            "betweenness": lambda s: graph.betweenness(sources=s, directed=False),
            "cores": lambda s: graph.coreness(),
        }
        self.results = {
            "pagerank": np.array,
            "bfs": finite,
            "paths": finite,
            "components": np.array,
            "triangles": lambda r: r,
            "betweenness": np.array,
            "cores": np.array,
        }
