# SPDX-License-Identifier: Apache-2.0
"""Plans: which kernel a product runs, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class PlanCandidate(NamedTuple):
    """A kernel that a plan considered. Times are predictions in seconds."""

    kernel: str
    hot_columns: bool  #: the columns are ordered by descending number of entries
    conversion: float  #: of the matrix, once
    transfer: float  #: to the device, once
    call: float  #: one product
    why_not: str  #: why it was excluded; empty if it is a candidate


@dataclass(frozen=True)
class Plan:
    """What Matrix.plan() found. ``str(plan)`` is the plan as text (docs/plan.md)."""

    #: The kernel, an argument of mxv; empty: the library chooses at each call.
    kernel: str
    expected_calls: int
    #: The reason for the choice.
    reason: str
    hot_columns: bool
    #: By ascending total time; empty if the matrix was not inspected.
    candidates: list[PlanCandidate]
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return self._text
