# SPDX-License-Identifier: Apache-2.0
"""Arguments that the algorithms share."""

from __future__ import annotations

import operator
from typing import Any

from .. import _core
from .._errors import UsageError
from .._matrix import Matrix


def core_of(given: Any) -> _core.Matrix:
    if not isinstance(given, Matrix):
        raise TypeError(f"a graph is a Matrix, found a {type(given).__name__}")
    return given._core


def checked_seed(given: int) -> int:
    seed = operator.index(given)
    if not 0 <= seed < 2**64:
        raise UsageError(f"seed is {seed}, needed 0 to 2**64 - 1")
    return seed
