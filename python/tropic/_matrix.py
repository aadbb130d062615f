# SPDX-License-Identifier: Apache-2.0
"""Matrices."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core, _products
from ._container import Container
from ._context import Context, given_or_default
from ._errors import UsageError
from ._matrix_arrays import MatrixArrays
from ._options import (
    MaskLike, Positions, check_output, core_accumulate, core_mask, core_positions, count_of,
    single_position,
)
from ._plan import Plan
from ._products import Operand, Transposed
from ._types import Number, code_of, exact, fitted
from ._vector import Vector, is_array
from .operators import (
    MonoidLike, OperatorLike, SemiringLike, as_operator, as_semiring,
)


class Matrix(MatrixArrays, Container):  # Container, so that this is the kind (see there)
    """A sparse matrix of one type, or the adjacency matrix of a graph: A[i, j] is an edge from i to j.

    ``Matrix(rows, columns)`` has no entries. ``len(A)`` is the number of entries, iterating gives
    their positions (i, j), and ``(i, j) in A`` says whether there is one, as of a dictionary. ``A ==
    B`` compares shapes, types, positions and values. ``A @ u`` and ``A @ B`` are over plus_times
    (or_and for bool), in NumPy's common type. With an array of two dimensions ``A @ X`` and ``X @ A``
    are arrays of NumPy, read-only, zero (False) where a sum has no terms; rows that are contiguous
    are used in place.

    Threads are as for Vector.

    Parameters
    ----------
    rows, columns : int
        Up to 2**32 each.
    dtype : dtype
        bool, an integer of 8 to 64 bits, float32 or float64.
    context : Context, optional
        Where it is; the default context if None.
    """

    __slots__ = ("__weakref__", "_core")

    def __init__(self, rows: int, columns: int, dtype: DTypeLike = "float64", *,
                 context: Optional[Context] = None) -> None:
        self._core: _core.Matrix = _core.empty_matrix(given_or_default(context), code_of(dtype),
                                                      rows, columns)

    @classmethod
    def _new(cls, rows: int, columns: int, code: int, beside: _core.Matrix) -> "Matrix":
        return cls._wrap(_core.empty_matrix(beside.context, code, rows, columns))

    def _like(self, code: int) -> "Matrix":
        return Matrix._new(self._core.rows, self._core.columns, code, self._core)

    # --- what it is

    @property
    def is_iso(self) -> bool:
        """Whether all entries share one stored value."""
        return self._core.is_iso

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix is known to equal its transpose."""
        return self._core.is_symmetric

    def assume_symmetric(self) -> None:
        """Declare that the matrix equals its transpose, which is not checked.

        Products then never build the transpose. Raises UsageError unless it is square.
        """
        self._core.assume_symmetric()

    @property
    def T(self) -> Transposed:
        """The transpose as an operand, without building it."""
        return Transposed(self)

    def __contains__(self, position: object) -> bool:
        if not isinstance(position, tuple) or len(position) != 2:
            return False
        try:
            i = single_position(position[0], self._core.rows)
            j = single_position(position[1], self._core.columns)
        except IndexError:
            return False
        return i is not None and j is not None and self._core.get(i, j) is not None

    def __iter__(self) -> Iterator[tuple[int, int]]:
        rows, columns, _ = self.to_coo()
        return zip(rows.tolist(), columns.tolist())

    def items(self) -> Iterator[tuple[tuple[int, int], Any]]:
        """Pairs of position (i, j) and value, by row and then by column."""
        return zip(self, self.to_coo()[2].tolist())

    def _table(self) -> list[list[str]]:
        # Rows of text: the positions as a grid if there are few, else the first entries.
        rows, columns = self.shape
        if rows <= 8 and columns <= 8:
            cells = [["" for _ in range(columns)] for _ in range(rows)]
            for (i, j), value in self.items():
                cells[i][j] = str(value)
            return [["", *map(str, range(columns))],
                    *([str(i), *cells[i]] for i in range(rows))]
        indptr, indices, values = self.to_csr()
        few = range(min(6, len(indices)))
        at = np.searchsorted(indptr, few, side="right") - 1
        table = [[f"({at[n]}, {indices[n]})", str(values[n].item())] for n in few]
        if len(indices) > 6:
            table.append(["...", ""])
        return table

    def _headline(self) -> str:
        rows, columns = self.shape
        return (
            f"tropic.Matrix of {rows:,} x {columns:,}, {self.nvals:,} entries, {self.dtype}, "
            f"on {self._core.context.name}"
        )

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in table]
        return "\n".join([self._headline(), *(f"  {line}".rstrip() for line in lines)])

    def __reduce__(self) -> Any:
        indptr, indices, values = self.to_csr()
        iso = self.is_iso and len(values) > 0  # without entries there is no value to share
        return _restore, (self.shape, indptr, indices, values[:1] if iso else values, iso,
                          self.is_symmetric)

    def astype(self, dtype: DTypeLike) -> "Matrix":
        """The same entries with another type, converted as docs/operators.md says."""
        result = self._like(code_of(dtype))
        _core.apply(result._core, "identity", self._core, None, None, None, False)
        if self.is_symmetric:
            result.assume_symmetric()
        return result

    # --- single entries and parts

    def get(self, i: int, j: int, default: Any = None) -> Any:
        """The value at (i, j), or `default` if there is no entry."""
        value = self._core.get(*self._position((i, j)))
        return default if value is None else value

    def _position(self, key: Any) -> tuple[int, int]:
        i = single_position(key[0], self._core.rows)
        j = single_position(key[1], self._core.columns)
        if i is None or j is None:
            raise TypeError(f"a position is two integers, found {key!r}")
        return i, j

    def _parts(self, key: Any) -> tuple[Any, Any, Optional[int], Optional[int]]:
        if not isinstance(key, tuple):
            key = (key, slice(None))
        if len(key) != 2:
            raise TypeError(f"a matrix has two dimensions, found {len(key)}")
        return (*key, single_position(key[0], self._core.rows),
                single_position(key[1], self._core.columns))

    def __getitem__(self, key: Any) -> Any:
        rows, columns, i, j = self._parts(key)
        if i is not None and j is not None:
            return self._core.get(i, j)
        if j is not None:
            return self.extract_column(j, rows)
        if i is not None:
            return self.extract_row(i, columns)
        return self.extract(rows, columns)

    def __setitem__(self, key: Any, value: Any) -> None:
        rows, columns, i, j = self._parts(key)
        if i is not None and j is not None:
            self._core.set(i, j, value)
            return
        if (i is None) != (j is None):
            value = self._line_of(value)
        if isinstance(value, Vector):
            # A row or a column as a matrix of that shape.
            if (i is None) == (j is None):
                raise UsageError("a vector is assigned to one row or one column, as A[i, :] = v")
            at, values = value.to_entries()
            zeros = np.zeros_like(at)
            value = (
                Matrix.from_entries(zeros, at, values, (1, value.size), context=self.context)
                if i is not None
                else Matrix.from_entries(at, zeros, values, (value.size, 1), context=self.context)
            )
        self.assign(value, rows if i is None else [i], columns if j is None else [j])

    def _line_of(self, value: Any) -> Any:
        """An array of one dimension as a vector of the matrix's type, anything else as it is."""
        if isinstance(value, (list, tuple)) or is_array(value):
            array = exact(value, self._core.type)
            if array.ndim == 1:
                return Vector.from_array(fitted(array, self._core.type), context=self.context)
        return value

    def __delitem__(self, key: Any) -> None:
        self._core.remove(*self._position(key))

    def resize(self, rows: int, columns: int) -> None:
        """Another shape; entries past the end are removed."""
        self._core.resize(rows, columns)

    def extract(self, rows: Positions = None, columns: Positions = None, *,
                out: "Optional[Matrix]" = None, mask: MaskLike = None,
                accumulate: Optional[OperatorLike] = None, replace: bool = False) -> "Matrix":
        """C(n, m) = A(rows[n], columns[m]); lists may repeat. ``A[2:5, [4, 1]]`` calls it."""
        check_output(out, Matrix, accumulate, replace)
        i = core_positions(rows, self._core.rows)
        j = core_positions(columns, self._core.columns)
        if out is None:
            out = Matrix._new(count_of(i, self._core.rows), count_of(j, self._core.columns),
                              self._core.type, self._core)
        _core.extract_matrix(out._core, self._core, False, i, j, core_mask(mask, Matrix),
                             core_accumulate(accumulate), replace)
        return out

    def _extract_line(self, transposed: bool, line: int, positions: Positions,
                      out: Optional[Vector], mask: MaskLike, accumulate: Optional[OperatorLike],
                      replace: bool) -> Vector:
        check_output(out, Vector, accumulate, replace)
        size = self._core.columns if transposed else self._core.rows
        at = core_positions(positions, size)
        if out is None:
            out = Vector._new(count_of(at, size), self._core.type, self._core)
        _core.extract_column(out._core, self._core, transposed, at, line,
                             core_mask(mask, Vector), core_accumulate(accumulate), replace)
        return out

    def extract_row(self, row: int, columns: Positions = None, *, out: Optional[Vector] = None,
                    mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                    replace: bool = False) -> Vector:
        """w(n) = A(row, columns[n]). ``A[i]`` and ``A[i, :]`` call it."""
        return self._extract_line(True, row, columns, out, mask, accumulate, replace)

    def extract_column(self, column: int, rows: Positions = None, *,
                       out: Optional[Vector] = None, mask: MaskLike = None,
                       accumulate: Optional[OperatorLike] = None, replace: bool = False) -> Vector:
        """w(n) = A(rows[n], column). ``A[:, j]`` calls it."""
        return self._extract_line(False, column, rows, out, mask, accumulate, replace)

    def diagonal(self, k: int = 0) -> Vector:
        """The k-th diagonal: the entries (i, i + k)."""
        rows, columns = self.shape
        size = min(rows + min(k, 0), columns - max(k, 0))
        out = Vector._new(max(size, 0), self._core.type, self._core)
        _core.extract_diagonal(out._core, self._core, False, k, None, None, False)
        return out

    def assign(self, value: "Union[Matrix, Number, ArrayLike]", rows: Positions = None,
               columns: Positions = None, *, mask: MaskLike = None,
               accumulate: Optional[OperatorLike] = None, replace: bool = False) -> None:
        """C<mask>(rows, columns) accumulate= value: a number, or a matrix of that many rows and columns.

        An array of two dimensions is a matrix with an entry at every position, converted to the
        matrix's type. Mask and replace are about the whole matrix. ``A[2:5, :] = B`` calls it;
        ``A[2, :] = v`` and ``A[:, 2] = v`` take a vector, or an array of one dimension. A number
        gives an entry to every position. Raises UsageError for a row or column that is listed twice,
        and OverflowError for a value that does not fit the type.
        """
        i = core_positions(rows, self._core.rows)
        j = core_positions(columns, self._core.columns)
        options = core_mask(mask, Matrix), core_accumulate(accumulate), replace
        if isinstance(value, (list, tuple)) or is_array(value):
            array = exact(value, self._core.type)
            if array.ndim == 1:
                raise UsageError(
                    "an array of one dimension is assigned to one row or one column, as A[i, :] = v"
                )
            value = array[()]
            if array.ndim > 0:
                value = Matrix.from_dense(fitted(array, self._core.type), None,
                                          context=self.context)
        if isinstance(value, Matrix):
            _core.assign_matrix(self._core, value._core, i, j, *options)
        else:
            _core.assign_matrix_value(self._core, value, i, j, *options)

    # --- operations

    def mxv(self, u: Vector, semiring: SemiringLike = "plus_times", *,
            out: Optional[Vector] = None, mask: MaskLike = None,
            accumulate: Optional[OperatorLike] = None, replace: bool = False,
            kernel: Optional[str] = None, expected_calls: int = 1) -> Vector:
        """w<mask> accumulate= A u: w(i) = sum over k of multiply(A(i,k), u(k)).

        Parameters
        ----------
        u : Vector
            Of the matrix's type.
        semiring : Semiring or str
            ``tropic.semiring.min_plus``, ``"min_plus"``, or one made by ``tropic.semiring``.
        out : Vector, optional
            Written and returned; a new vector if None. It may be u or the mask.
        mask : Vector or Mask, optional
            Only its positions are written: ``v``, ``~v``, ``v.structure``, ``~v.structure``.
        accumulate : operator, optional
            Combines the previous entry x of `out` with the result y.
        replace : bool
            Delete the entries of `out` that the mask excludes.
        kernel : str, optional
            As in plan().kernel; chosen by the library if None. The error for a wrong name lists
            those of the device.
        expected_calls : int
            Products with this matrix, among which the cost of preparations is divided.

        Raises
        ------
        UsageError
            Shapes, types or contexts that do not match; the message names both.
        """
        return _products.product(False, (self, False), u, semiring, out, mask, accumulate, replace,
                                 kernel, expected_calls)

    def plan(self, u: "Union[Vector, ArrayLike]", semiring: SemiringLike = "plus_times",
             expected_calls: int = 1) -> Plan:
        """The plan for that many calls of ``mxv(u, semiring)``; an array is a vector of its dtype.

        From 50 calls on, the matrix is inspected, and the time of every kernel of the device is
        estimated. The first such plan measures the device, once, which may take a minute. Later
        products use the plan until the matrix changes. Raises UsageError where the product would.
        """
        if is_array(u):
            u = Vector.from_array(u, context=self.context)
        if not isinstance(u, Vector):
            raise TypeError(f"the operand is a {type(u).__name__}, needed a Vector")
        chosen = as_semiring(semiring)
        found = _core.plan(chosen.over(self._core.type), self._core, False, u._core, expected_calls,
                           None)
        rows, columns = self.shape
        return Plan(found, f"{rows:,} x {columns:,}, {self.nvals:,} entries; {chosen.short_name} over "
                           f"{self.dtype} on {self._core.context.name}")

    def mxm(self, other: Operand, semiring: SemiringLike = "plus_times", *,
            out: "Optional[Matrix]" = None, mask: MaskLike = None,
            accumulate: Optional[OperatorLike] = None, replace: bool = False,
            kernel: Optional[str] = None) -> "Matrix":
        """C<mask> accumulate= A B: C(i,j) = sum over k of multiply(A(i,k), B(k,j)).

        `other` is a matrix of the same type or its ``.T``; the options are those of mxv. `kernel`
        is the name of one that docs/products.md lists; UsageError if the device has no such kernel.
        """
        return _products.mxm(self, other, semiring, out=out, mask=mask, accumulate=accumulate,
                             replace=replace, kernel=kernel)

    def reduce_mxm(self, other: Operand, semiring: SemiringLike = "plus_times", *,
                   mask: MaskLike = None) -> Any:
        """The sum of the entries of A B by the semiring's add, without building the product."""
        right, transposed = _products.as_operand(other)
        of = as_semiring(semiring).over(self._core.type)
        return _core.reduce_mxm(of, self._core, False, right._core, transposed,
                                core_mask(mask, Matrix))

    def __matmul__(self, other: Any) -> Any:
        return _products.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _products.rmatmul(self, other)

    def kronecker(self, other: Operand, operator: OperatorLike = "times", *,
                  out: "Optional[Matrix]" = None, mask: MaskLike = None,
                  accumulate: Optional[OperatorLike] = None, replace: bool = False) -> "Matrix":
        """The Kronecker product: operator(A(i,j), B(k,l)) for every pair of entries."""
        right, transposed = _products.as_operand(other)
        check_output(out, Matrix, accumulate, replace)
        if out is None:
            rows, columns = right.shape[::-1] if transposed else right.shape
            out = Matrix._new(self._core.rows * rows, self._core.columns * columns,
                              self._core.type, self._core)
        _core.kronecker(out._core, as_operator(operator)._key, self._core, False, right._core,
                        transposed, core_mask(mask, Matrix), core_accumulate(accumulate), replace)
        return out

    def reduce_rows(self, monoid: MonoidLike = "plus", *, out: Optional[Vector] = None,
                    mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                    replace: bool = False) -> Vector:
        """The sum of each row; an empty row gives no entry. ``A.T.reduce_rows()`` sums columns."""
        return _products.reduce_rows(self, monoid, out=out, mask=mask, accumulate=accumulate,
                                     replace=replace)

    def transpose(self, *, out: "Optional[Matrix]" = None, mask: MaskLike = None,
                  accumulate: Optional[OperatorLike] = None, replace: bool = False) -> "Matrix":
        """C<mask> accumulate= A'."""
        check_output(out, Matrix, accumulate, replace)
        if out is None:
            out = Matrix._new(self._core.columns, self._core.rows, self._core.type, self._core)
        _core.transpose(out._core, self._core, core_mask(mask, Matrix),
                        core_accumulate(accumulate), replace)
        return out


def _restore(shape: tuple[int, int], indptr: Any, indices: Any, values: Any, iso: bool,
             symmetric: bool) -> Matrix:
    if iso and len(values) > 0:
        rows = np.repeat(np.arange(shape[0]), np.diff(indptr))
        result = Matrix.from_entries(rows, indices, values[0], shape, dtype=values.dtype)
    else:
        result = Matrix.from_csr(indptr, indices, values, shape)
    if symmetric:
        result.assume_symmetric()
    return result
