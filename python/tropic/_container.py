# SPDX-License-Identifier: Apache-2.0
"""What vectors and matrices have in common: entries of one type at some positions."""

from __future__ import annotations

from operator import index
from typing import Any, Optional, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._context import Context, given_or_default, wrap
from ._errors import UsageError
from ._options import Mask, MaskLike, check_output, core_accumulate, core_mask
from ._types import DTYPES, Number, code_of, fitted
from .operators import MonoidLike, OperatorLike, as_monoid, as_operator

C = TypeVar("C", bound="Container")

# Predicates of positions and a number.
_POSITION_PREDICATES = (
    "tril", "triu", "on_diagonal", "off_the_diagonal", "rows_up_to", "rows_after", "columns_up_to",
    "columns_after",
)


def bound_value(left: Optional[Number], right: Optional[Number],
                code: int) -> "Optional[tuple[bool, Any, int]]":
    """The value bound to an operand as the extension module takes it, with its type.

    It has the container's type, if that holds it, else NumPy's for the value.
    """
    if left is None and right is None:
        return None
    if left is not None and right is not None:
        raise UsageError("left and right are both given: an operator of one entry binds one")
    value: Any = right if left is None else left
    given = np.asarray(value)
    if given.ndim != 0:
        raise TypeError(f"a bound value is a number, found {given.ndim} dimensions")
    value_code = code_of(given.dtype)
    if value_code != code and np.can_cast(np.min_scalar_type(value), DTYPES[code], "same_kind"):
        try:
            fitted(given, code)
            value_code = code
        except OverflowError:
            pass
    return left is not None, value, value_code


class Container:
    """The base class of Vector and Matrix; each of them is a `_kind`, its own subclasses are not."""

    __slots__ = ()
    __array_ufunc__ = None  # u @ v and v @ u with arrays come here
    __hash__ = None  # type: ignore[assignment]
    _core: Any
    _kind: "type[Any]"

    def __init_subclass__(cls) -> None:
        if Container in cls.__bases__:
            cls._kind = cls

    @classmethod
    def _wrap(cls: "type[C]", handle: Any) -> C:
        result = object.__new__(cls)
        result._core = handle
        return result

    def _like(self: C, code: int) -> C:
        """A container of the same kind and shape, without entries."""
        raise NotImplementedError

    def _output(self: C, out: Optional[C], code: int) -> C:
        return self._like(code) if out is None else out

    # --- what it is

    @property
    def nvals(self) -> int:
        """Number of entries."""
        return self._core.nvals

    @property
    def dtype(self) -> "np.dtype[Any]":
        """Type of the values."""
        return DTYPES[self._core.type]

    @property
    def context(self) -> Context:
        """Where it is."""
        return wrap(self._core.context)

    @property
    def nbytes(self) -> int:
        """Bytes on host and device together, without a matrix's conversions to other formats."""
        return self._core.nbytes

    @property
    def structure(self) -> Mask:
        """The mask of all entries, whatever their values."""
        return Mask(self, True, False)

    def __invert__(self) -> Mask:
        """The mask of the positions without an entry, or with one that is zero."""
        return Mask(self, False, True)

    def __len__(self) -> int:
        return self._core.nvals

    def isequal(self: C, other: C) -> bool:
        """Whether shape, type, positions and values are equal; NaN equals NaN."""
        if not isinstance(other, self._kind):
            raise TypeError(f"a {self._kind.__name__} is compared with a {type(other).__name__}")
        return self._core.isequal(other._core)

    def __eq__(self, other: object) -> bool:
        return self._core.isequal(other._core) if isinstance(other, self._kind) else NotImplemented

    def to(self: C, context: Context) -> C:
        """A copy in another context."""
        return self._kind._wrap(self._core.to(given_or_default(context)))

    def copy(self: C) -> C:
        """A copy, which shares memory until one of the two is written."""
        return self._kind._wrap(self._core.copy())

    def clear(self) -> None:
        """Remove all entries."""
        self._core.clear()

    # --- operations

    def _check_operand(self, other: object) -> None:
        if not isinstance(other, self._kind):
            raise TypeError(
                f"the second operand is a {type(other).__name__}, needed a {self._kind.__name__}"
            )

    def _check_dtype(self, dtype: Optional[DTypeLike], out: object) -> None:
        if dtype is not None and out is not None:
            raise UsageError(f"dtype is that of a new {self._kind.__name__}, and out is given")

    def ewise_add(self: C, other: C, operator: OperatorLike = "plus", *, out: Optional[C] = None,
                  mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                  replace: bool = False) -> C:
        """The union: operator(x, y) where both have an entry, the single entry where only one has.

        Both operands and the result have the same type.
        """
        self._check_operand(other)
        check_output(out, self._kind, accumulate, replace)
        op = as_operator(operator)
        out = self._output(out, self._core.type)
        _core.ewise(out._core, True, op._key, self._core, other._core,
                    core_mask(mask, self._kind), core_accumulate(accumulate), replace)
        return out

    def ewise_multiply(self: C, other: C, operator: OperatorLike = "times", *,
                       dtype: Optional[DTypeLike] = None, out: Optional[C] = None,
                       mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                       replace: bool = False) -> C:
        """The intersection: operator(x, y) where both have an entry, nothing elsewhere.

        The result's dtype is `dtype`, else bool for comparisons and logic, else NumPy's common one.
        """
        self._check_operand(other)
        check_output(out, self._kind, accumulate, replace)
        self._check_dtype(dtype, out)
        op = as_operator(operator)
        if out is None:
            out = self._like(op.result_code(self._core.type, other._core.type)
                             if dtype is None else code_of(dtype))
        _core.ewise(out._core, False, op._key, self._core, other._core,
                    core_mask(mask, self._kind), core_accumulate(accumulate), replace)
        return out

    def ewise_union(self: C, other: C, operator: OperatorLike, missing: Number,
                    missing_other: Optional[Number] = None, *, out: Optional[C] = None,
                    mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                    replace: bool = False) -> C:
        """operator(x, y) where at least one has an entry; `missing` takes the place of the other.

        `missing` stands for entries that this container lacks, `missing_other` (`missing` if None)
        for entries that `other` lacks.
        """
        self._check_operand(other)
        check_output(out, self._kind, accumulate, replace)
        out = self._output(out, self._core.type)
        _core.ewise_union(out._core, as_operator(operator)._key, self._core, missing, other._core,
                          missing if missing_other is None else missing_other,
                          core_mask(mask, self._kind), core_accumulate(accumulate), replace)
        return out

    def apply(self: C, operator: OperatorLike, *, left: Optional[Number] = None,
              right: Optional[Number] = None, dtype: Optional[DTypeLike] = None,
              out: Optional[C] = None, mask: MaskLike = None,
              accumulate: Optional[OperatorLike] = None, replace: bool = False) -> C:
        """operator(x) of every entry x; with `right` operator(x, right), with `left` operator(left, x).

        ``i`` is the position of the entry, or its row, and ``j`` its column, which is 0 in a vector.
        The result's dtype is `dtype`, else bool for comparisons and logic, else that of the entries
        (NumPy's common one with a bound value).
        """
        check_output(out, self._kind, accumulate, replace)
        self._check_dtype(dtype, out)
        op = as_operator(operator)
        code = self._core.type
        bound = bound_value(left, right, code)
        if out is None:
            if dtype is None:
                code = op.result_code(code) if bound is None else op.result_code(code, bound[2])
            else:
                code = code_of(dtype)
            out = self._like(code)
        _core.apply(out._core, op._key, self._core, bound, core_mask(mask, self._kind),
                    core_accumulate(accumulate), replace)
        return out

    def select(self: C, predicate: OperatorLike, value: Optional[Number] = None, *,
               out: Optional[C] = None, mask: MaskLike = None,
               accumulate: Optional[OperatorLike] = None, replace: bool = False) -> C:
        """The entries for which the predicate holds: ``"x > 3"``, ``"j < i"``, or ``"greater"`` with value 3.

        With a value as number of a diagonal, row or column there are ``"tril"``, ``"triu"``,
        ``"on_diagonal"``, ``"off_the_diagonal"``, ``"rows_up_to"``, ``"rows_after"``,
        ``"columns_up_to"`` and ``"columns_after"``.
        """
        check_output(out, self._kind, accumulate, replace)
        out = self._output(out, self._core.type)
        options = core_mask(mask, self._kind), core_accumulate(accumulate), replace
        if isinstance(predicate, str) and predicate in _POSITION_PREDICATES:
            number: Any = 0 if value is None else value
            _core.select_positions(out._core, predicate, index(number), self._core, *options)
        else:
            op = as_operator(predicate)
            bound = bound_value(None, value, self._core.type)
            _core.select(out._core, op._key, self._core, bound, *options)
        return out

    def reduce(self, monoid: MonoidLike = "plus") -> Any:
        """The sum of all entries; the identity without any (None for the monoid `any`)."""
        return _core.reduce_all(as_monoid(monoid).over(self._core.type), self._core)
