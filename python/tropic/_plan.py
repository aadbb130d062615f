# SPDX-License-Identifier: Apache-2.0
"""Plans: which kernel a product runs, and why."""

from __future__ import annotations

from typing import Any, NamedTuple


class PlanCandidate(NamedTuple):
    """A kernel that a plan considered. Times are predictions in seconds."""

    kernel: str
    hot_columns: bool  #: the columns are ordered by descending number of entries
    conversion: float  #: of the matrix, once
    transfer: float  #: to the device, once
    call: float  #: one product
    why_not: str  #: why it was excluded; empty if it is a candidate


class Plan:
    """What Matrix.plan() found. ``str(plan)`` is the plan as text (docs/plan.md); a notebook shows it
    as a picture.
    """

    __slots__ = ("_about", "_core", "_text", "candidates", "expected_calls", "hot_columns", "kernel",
                 "reason")

    def __init__(self, found: "tuple[Any, ...]", about: str) -> None:
        #: The kernel, an argument of mxv; empty: the library chooses at each call.
        self.kernel: str = found[0]
        self.expected_calls: int = found[1]
        #: The reason for the choice.
        self.reason: str = found[2]
        self.hot_columns: bool = found[3]
        self._text: str = found[4]
        #: By ascending total time; empty if the matrix was not inspected.
        self.candidates = [PlanCandidate(*one) for one in found[5]]
        self._core = found[6]
        self._about = about

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<tropic.Plan: kernel {self.kernel or 'chosen at each call'}: {self.reason}>"

    def picture(self) -> str:
        """The plan as a picture, SVG: where the entries are, how long the rows, what kernels cost.

        Entries are counted on the host. The plan keeps the matrix, as it was, for this.
        """
        return self._core.picture("Plan", self._about)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, which scrolls where the page is narrow."""
        return f'<div style="overflow-x: auto">{self.picture()}</div>'
