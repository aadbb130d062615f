# SPDX-License-Identifier: Apache-2.0
"""A matrix or its transpose as an operand: products, and sums of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core
from . import _matrix  # imports this module
from ._options import MaskLike, check_output, core_accumulate, core_mask
from ._types import DTYPES, common_code
from ._vector import Vector, as_table, as_tensor, code_of_array, is_array
from .operators import MonoidLike, OperatorLike, SemiringLike, as_monoid, as_semiring

if TYPE_CHECKING:
    from ._matrix import Matrix


class Transposed:
    """The transpose of a matrix as an operand, without building it: ``A.T``."""

    __slots__ = ("T",)
    __array_ufunc__ = None

    #: The matrix.
    T: "Matrix"

    def __init__(self, of: "Matrix") -> None:
        self.T = of

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.T.shape
        return columns, rows

    @property
    def dtype(self) -> "np.dtype[Any]":
        """Type of the values."""
        return self.T.dtype

    def to_matrix(self) -> "Matrix":
        """The transpose as a matrix of its own."""
        return self.T.transpose()

    def __array__(self, dtype: Any = None, copy: Any = None) -> "np.ndarray[Any, Any]":
        raise TypeError("a transpose is an operand, not an array: use A.to_dense(missing=0).T")

    def mxv(self, u: Vector, semiring: SemiringLike = "plus_times", **options: Any) -> Vector:
        """As Matrix.mxv, with the transpose."""
        return mxv(self, u, semiring, **options)

    def mxm(self, other: "Operand", semiring: SemiringLike = "plus_times",
            **options: Any) -> "Matrix":
        """As Matrix.mxm, with the transpose."""
        return mxm(self, other, semiring, **options)

    def reduce_rows(self, monoid: MonoidLike = "plus", **options: Any) -> Vector:
        """The sum of each row of the transpose: of each column of the matrix."""
        return reduce_rows(self, monoid, **options)

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return rmatmul(self, other)

    def __repr__(self) -> str:
        return f"the transpose of {self.T!r}"


#: A matrix or its transpose.
Operand = Union["Matrix", Transposed]


def as_operand(given: object) -> "tuple[Matrix, bool]":
    """The matrix, and whether it is transposed."""
    if isinstance(given, _matrix.Matrix):
        return given, False
    if isinstance(given, Transposed):
        return given.T, True
    raise TypeError(f"a Matrix or its transpose is needed, found a {type(given).__name__}")


def product(vector_first: bool, operand: "tuple[Matrix, bool]", u: Vector, semiring: SemiringLike,
            out: Optional[Vector], mask: MaskLike, accumulate: Optional[OperatorLike],
            replace: bool, kernel: Optional[str], expected_calls: int) -> Vector:
    """mxv and vxm."""
    a, transposed = operand
    if not isinstance(u, Vector):
        raise TypeError(f"the operand is a {type(u).__name__}, needed a Vector")
    check_output(out, Vector, accumulate, replace)
    core = a._core
    of = as_semiring(semiring).over(core.type)
    if out is None:
        size = core.rows if transposed == vector_first else core.columns
        out = Vector._new(size, of.result, core)
    _core.multiply(vector_first, out._core, of, core, transposed, u._core,
                   core_mask(mask, Vector), core_accumulate(accumulate), replace, kernel,
                   expected_calls)
    return out


def promoted_product(vector_first: bool, given: Operand, u: Vector) -> Vector:
    """plus_times over NumPy's common type."""
    a, transposed = as_operand(given)
    code = a._core.type
    if u._core.type != code:
        code = common_code(code, u._core.type)
        if a._core.type != code:
            a = a.astype(DTYPES[code])
        if u._core.type != code:
            u = u.astype(DTYPES[code])
    return product(vector_first, (a, transposed), u, sum_of_products(code), None, None, None,
                   False, None, 1)


def sum_of_products(code: int) -> str:
    return "or_and" if code == 0 else "plus_times"


def mxv(a: Operand, u: Vector, semiring: SemiringLike, *, out: Optional[Vector] = None,
         mask: MaskLike = None, accumulate: Optional[OperatorLike] = None, replace: bool = False,
         kernel: Optional[str] = None, expected_calls: int = 1) -> Vector:
    return product(False, as_operand(a), u, semiring, out, mask, accumulate, replace, kernel,
                   expected_calls)


def mxm(a: Operand, b: Operand, semiring: SemiringLike, *, out: "Optional[Matrix]" = None,
         mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
         replace: bool = False, kernel: Optional[str] = None) -> "Matrix":
    left, transpose_a = as_operand(a)
    right, transpose_b = as_operand(b)
    check_output(out, _matrix.Matrix, accumulate, replace)
    of = as_semiring(semiring).over(left._core.type)
    if out is None:
        rows = left._core.columns if transpose_a else left._core.rows
        columns = right._core.rows if transpose_b else right._core.columns
        out = _matrix.Matrix._new(rows, columns, of.result, left._core)
    _core.mxm(out._core, of, left._core, transpose_a, right._core, transpose_b,
              core_mask(mask, _matrix.Matrix), core_accumulate(accumulate), replace, kernel)
    return out


def reduce_rows(a: Operand, monoid: MonoidLike, *, out: Optional[Vector] = None,
                 mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                 replace: bool = False) -> Vector:
    of, transposed = as_operand(a)
    check_output(out, Vector, accumulate, replace)
    core = of._core
    if out is None:
        out = Vector._new(core.columns if transposed else core.rows, core.type, core)
    _core.reduce_rows(out._core, as_monoid(monoid).over(core.type), core, transposed,
                      core_mask(mask, Vector), core_accumulate(accumulate), replace)
    return out


def product_with_array(array_first: bool, given: Operand, other: Any) -> Any:
    """plus_times over NumPy's common type: a vector, or an array of two dimensions."""
    a, transposed = as_operand(given)
    array = as_tensor(other)
    dimensions = len(array.shape)
    if dimensions == 1:
        return promoted_product(array_first, given, Vector.from_array(array, context=a.context))
    if dimensions != 2:
        raise TypeError(f"@ takes an array of 1 or 2 dimensions, found {dimensions}")
    array_code = code_of_array(array)
    code = common_code(a._core.type, array_code)
    if a._core.type != code:
        a = a.astype(DTYPES[code])
    semiring = as_semiring(sum_of_products(code)).over(code)
    return _core.multiply_table(array_first, semiring, a._core, transposed, as_table(array), array_code)


def _refuse_sparse(other: Any) -> None:
    if hasattr(other, "tocsr"):
        raise TypeError(
            f"an operand of @ is a {type(other).__name__} of SciPy: Matrix.from_scipy makes a Matrix"
        )


def matmul(a: Operand, other: Any) -> Any:
    if isinstance(other, Vector):
        return promoted_product(False, a, other)
    if not isinstance(other, (_matrix.Matrix, Transposed)):
        if is_array(other):
            return product_with_array(False, a, other)
        _refuse_sparse(other)
        return NotImplemented
    left, transpose_a = as_operand(a)
    right, transpose_b = as_operand(other)
    code = common_code(left._core.type, right._core.type)
    if left._core.type != code:
        left = left.astype(DTYPES[code])
    if right._core.type != code:
        right = right.astype(DTYPES[code])
    return mxm(left.T if transpose_a else left, right.T if transpose_b else right,
                sum_of_products(code))


def rmatmul(a: Operand, other: Any) -> Any:
    if is_array(other):
        return product_with_array(True, a, other)
    _refuse_sparse(other)
    return NotImplemented
