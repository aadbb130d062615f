# SPDX-License-Identifier: Apache-2.0
"""Tropic: semiring algebra on sparse matrices and graph algorithms, on the CPU and on GPUs.

>>> import tropic
>>> A = tropic.Matrix.from_entries([0, 0, 1], [1, 2, 2], [4.0, 9.0, 3.0], (3, 3))
>>> A.T.mxv(tropic.Vector.from_entries([0], [0.0], 3), "min_plus").to_entries()[1].tolist()
[4.0, 9.0]
"""

from ._algorithms import (
    BFS,
    Components,
    PageRank,
    ShortestPaths,
    bfs,
    connected_components,
    pagerank,
    shortest_paths,
    triangle_count,
    triangles_per_vertex,
)
from ._context import (
    Context,
    Device,
    OperationProfile,
    default_context,
    devices,
    set_default_context,
)
from ._errors import (
    Cancelled,
    DeviceError,
    Error,
    ExpressionError,
    InputError,
    NegativeCycle,
    OutOfMemory,
    UsageError,
)
from ._files import grid, kron, read, urand, write
from ._matrix import Matrix, Transposed
from ._options import Mask
from ._plan import Plan, PlanCandidate
from ._vector import Vector
from .operators import Monoid, Operator, Semiring, monoid, operator, semiring

__version__ = "0.1.0"

__all__ = [
    "BFS",
    "Cancelled",
    "Components",
    "Context",
    "Device",
    "DeviceError",
    "Error",
    "ExpressionError",
    "InputError",
    "Mask",
    "Matrix",
    "Monoid",
    "NegativeCycle",
    "OperationProfile",
    "Operator",
    "OutOfMemory",
    "PageRank",
    "Plan",
    "PlanCandidate",
    "Semiring",
    "ShortestPaths",
    "Transposed",
    "UsageError",
    "Vector",
    "bfs",
    "connected_components",
    "default_context",
    "devices",
    "grid",
    "kron",
    "monoid",
    "operator",
    "pagerank",
    "read",
    "semiring",
    "set_default_context",
    "shortest_paths",
    "triangle_count",
    "triangles_per_vertex",
    "urand",
    "write",
]
