# SPDX-License-Identifier: Apache-2.0
"""What the backend says about itself to NetworkX. Imports nothing that takes time."""

from __future__ import annotations

from typing import Any

_SHORTEST = "Integers of more than 64 bits and weights that are no numbers are left to NetworkX."
_POWER = "Without nstart; negative weights are left to NetworkX."

#: The functions, each with what differs from NetworkX.
FUNCTIONS: dict[str, str] = {
    "all_pairs_bellman_ford_path_length": _SHORTEST,
    "all_pairs_dijkstra_path_length": _SHORTEST + " So are negative weights.",
    "all_pairs_shortest_path_length": "Nodes of one level are in the order of the graph.",
    "ancestors": "",
    "average_clustering": "Of undirected graphs without weights.",
    "bellman_ford_path_length": _SHORTEST,
    "betweenness_centrality": "Without k and weight.",
    "closeness_centrality": "Without distance and sp.",
    "clustering": "Of undirected graphs without weights.",
    "connected_components": "",
    "core_number": "Of undirected graphs.",
    "descendants": "",
    "descendants_at_distance": "",
    "dijkstra_path_length": _SHORTEST + " So are negative weights.",
    "eigenvector_centrality": _POWER,
    "has_path": "",
    "hits": "By power iteration: where the largest singular value is not the only one, NetworkX's result "
            "is random. Without nstart, with normalized; negative weights are left to NetworkX.",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "jaccard_coefficient": "Graphs with loops are left to NetworkX.",
    "katz_centrality": _POWER + " So is beta for each node.",
    "modularity": "Negative weights are left to NetworkX.",
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "Without nstart and dangling; negative weights are left to NetworkX.",
    "shortest_path_length": _SHORTEST + " So are negative weights with Dijkstra's method.",
    "single_source_bellman_ford_path_length": _SHORTEST,
    "single_source_dijkstra_path_length": _SHORTEST + " So are negative weights.",
    "single_source_shortest_path_length": "Nodes of one level are in the order of the graph.",
    "single_target_shortest_path_length": "Nodes of one level are in the order of the graph.",
    "strongly_connected_components": "In the order of their first nodes.",
    "transitivity": "Of undirected graphs.",
    "triangles": "",
    "weakly_connected_components": "",
}


def backend_info() -> dict[str, Any]:
    """The entry point networkx.backend_info."""
    return {
        "backend_name": "tropic",
        "project": "tropic",
        "package": "tropic",
        "short_summary": "Semiring algebra on the CPU and on GPUs, with all cores.",
        "functions": {
            name: {"additional_docs": differs} if differs else {}
            for name, differs in FUNCTIONS.items()
        },
    }
