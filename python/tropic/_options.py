# SPDX-License-Identifier: Apache-2.0
"""The options that operations share: masks, accumulators, lists of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from ._errors import UsageError
from .operators import OperatorLike, as_operator

if TYPE_CHECKING:
    from ._container import Container
    from ._matrix import Matrix
    from ._vector import Vector

#: A list of positions: numbers, a slice, or None for all of them.
Positions = Union[None, slice, Sequence[int], "np.ndarray[Any, Any]"]


class Mask:
    """Which positions of an output are written: made by ``v.structure``, ``~v`` and ``~v.structure``.

    A container itself is a mask as well: the positions of its entries that are not zero.
    """

    __slots__ = ("complemented", "container", "structural")

    def __init__(self, container: "Container", structural: bool,
                 complemented: bool) -> None:
        self.container = container
        #: Every entry counts, whatever its value.
        self.structural = structural
        #: The other positions.
        self.complemented = complemented

    def __invert__(self) -> "Mask":
        return Mask(self.container, self.structural, not self.complemented)

    def __repr__(self) -> str:
        sign = "~" if self.complemented else ""
        kind = "structure" if self.structural else "values"
        return f"<tropic.Mask {sign}{kind} of {self.container!r}>"


MaskLike = Union[Mask, "Vector", "Matrix", None]


def core_mask(mask: MaskLike, kind: type) -> Optional[tuple[Any, bool, bool]]:
    """The mask as the extension module takes it. `kind`: the class of the output."""
    if mask is None:
        return None
    if isinstance(mask, Mask):
        container, structural, complemented = mask.container, mask.structural, mask.complemented
    else:
        container, structural, complemented = mask, False, False
    if not isinstance(container, kind):
        raise TypeError(
            f"the mask of a {kind.__name__} is a {kind.__name__} or its .structure, "
            f"found {type(container).__name__}"
        )
    return container._core, structural, complemented


def core_accumulate(accumulate: Optional[OperatorLike]) -> Optional[str]:
    """The name or text of the accumulator."""
    return None if accumulate is None else as_operator(accumulate)._key


def check_output(out: object, kind: type, accumulate: object, replace: bool) -> None:
    """Raise where `out` is not of the class, or options are given that are of an output."""
    if out is None:
        if accumulate is not None or replace:
            name = "replace" if accumulate is None else "accumulate"
            raise UsageError(f"{name} applies to an output: give the output as out=...")
    elif not isinstance(out, kind):
        raise TypeError(f"out is a {type(out).__name__}, needed a {kind.__name__}")


def core_positions(given: Positions, size: int) -> "Optional[np.ndarray[Any, Any]]":
    """Positions as int64; None for all. Negative ones count from the end in slices alone."""
    if given is None:
        return None
    if isinstance(given, slice):
        if given == slice(None):
            return None
        return np.arange(*given.indices(size), dtype=np.int64)
    array = np.asarray(given)
    if array.dtype == bool:
        raise UsageError("a list of positions holds numbers, found bools; use mask=")
    if array.ndim != 1 or (array.size > 0 and not np.issubdtype(array.dtype, np.integer)):
        raise UsageError(
            f"positions are a list of integers or a slice, found {array.ndim} dimensions of "
            f"{array.dtype}"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


def count_of(list_: "Optional[np.ndarray[Any, Any]]", size: int) -> int:
    """How many positions a list has."""
    return size if list_ is None else len(list_)


def single_position(given: object, size: int) -> Optional[int]:
    """The position, if it is one number; IndexError past the end."""
    if isinstance(given, (bool, np.bool_)) or not isinstance(given, (int, np.integer)):
        return None
    position = int(given)
    if position < 0:
        position += size
    if not 0 <= position < size:
        raise IndexError(f"position {given}, there are {size}")
    return position
