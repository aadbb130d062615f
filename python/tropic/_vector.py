# SPDX-License-Identifier: Apache-2.0
"""Vectors."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._container import Container
from ._context import Context, given_or_default
from ._errors import UsageError
from ._options import (
    MaskLike, Positions, check_output, core_accumulate, core_mask, core_positions, count_of,
    single_position,
)
from ._shared import SharedArray
from ._types import Number, code_of, duplicates_code, exact, fitted
from .operators import OperatorLike, SemiringLike

if TYPE_CHECKING:
    from ._matrix import Matrix
    from ._products import Transposed

def is_array(given: object) -> bool:
    """Whether it is an array or a tensor, and neither a container nor a number."""
    return isinstance(given, np.ndarray) or (
        (hasattr(given, "__dlpack__") or hasattr(given, "__array__"))
        and not isinstance(given, (Container, np.generic))
    )


def as_tensor(values: Any) -> Any:
    """A tensor as it is, anything else as an array of NumPy."""
    if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack__"):
        if isinstance(values, Vector):
            return values.to_numpy()
        if getattr(values, "requires_grad", False):
            raise UsageError("a tensor that requires a gradient, which is not recorded here: pass "
                             "tensor.detach()")
        if hasattr(values, "dtype"):  # pyarrow's arrays have none, and become NumPy's
            return values
    return np.asarray(values)


def as_array(values: Any) -> Any:
    """Something with values that the extension module can borrow: a tensor as it is, or NumPy's."""
    given = as_tensor(values)
    return np.ascontiguousarray(given) if isinstance(given, np.ndarray) else given


def as_table(given: Any) -> Any:
    """The same of two dimensions: rows may be up to four times their length apart."""
    if not isinstance(given, np.ndarray):
        return given
    (_, columns), (apart, step) = given.shape, given.strides
    bytes_, width = given.itemsize, columns * given.itemsize
    # A narrow part of wide rows is copied: a device would get what is between, too.
    borrowed = (given.flags.aligned and step == bytes_ and apart % bytes_ == 0
                and width <= apart <= 4 * width)
    return given if borrowed else np.ascontiguousarray(given)


def code_of_array(values: Any) -> int:
    """The type code of the values of an array or tensor."""
    # A tensor's dtype prints as torch.float32, float32, ...
    dtype = values.dtype
    return code_of(dtype if isinstance(dtype, np.dtype) else str(dtype).rpartition(".")[2])


class Vector(Container):
    """Positions, some of which hold an entry of one type.

    ``Vector(size)`` has no entries. Positions are numbered from 0; the largest size is 2**32.
    ``len(v)`` is the number of entries, iterating gives their positions, and ``i in v`` says
    whether position i holds one, as of a dictionary; ``v.size`` is the number of positions.
    ``v == w`` compares sizes, types, positions and values.

    Several threads may read one vector at the same time. A call that writes a vector that another
    thread uses raises RuntimeError.

    Parameters
    ----------
    size : int
        Number of positions.
    dtype : dtype
        bool, an integer of 8 to 64 bits, float32 or float64.
    context : Context, optional
        Where it is; the default context if None.
    """

    __slots__ = ("_core",)

    def __init__(self, size: int, dtype: DTypeLike = "float64", *,
                 context: Optional[Context] = None) -> None:
        try:
            positions = operator.index(size)
        except TypeError:
            raise TypeError(f"Vector: found a size of type {type(size).__name__}, expected an "
                            "integer; Vector.from_array takes an array") from None
        self._core: _core.Vector = _core.empty_vector(given_or_default(context), code_of(dtype),
                                                      positions)

    # --- from arrays

    @classmethod
    def full(cls, size: int, value: Number, dtype: Optional[DTypeLike] = None, *,
             context: Optional[Context] = None) -> "Vector":
        """A vector with `value` at every position. The dtype is NumPy's for the value if None."""
        code = code_of(np.asarray(value).dtype if dtype is None else dtype)
        return cls._wrap(_core.filled_vector(given_or_default(context), code, size, value))

    @classmethod
    def from_array(cls, values: ArrayLike, *, copy: bool = False,
                   context: Optional[Context] = None) -> "Vector":
        """A vector with an entry at every position, over the memory of an array.

        Parameters
        ----------
        values : array of one dimension
            A NumPy array, or anything with DLPack such as a tensor of PyTorch, on the host or on
            the context's device. A contiguous array is not copied: it is kept alive, and must not be
            written while the vector is used.
        copy : bool
            Copy the values.

        Raises
        ------
        UsageError
            Another dtype than the eleven, another number of dimensions, another device.
        """
        array = as_array(values)
        return cls._wrap(
            _core.vector_from_array(given_or_default(context), code_of_array(array), array, copy)
        )

    @classmethod
    def from_sparse(cls, indices: ArrayLike, values: ArrayLike, size: int, *, copy: bool = False,
                    context: Optional[Context] = None) -> "Vector":
        """A vector over the memory of positions, strictly ascending, and values.

        Positions of 32 bits are not copied, those of 64 bits are narrowed; otherwise as from_array.
        Raises UsageError for positions that do not ascend or are past the end.
        """
        at, array = as_array(indices), as_array(values)
        return cls._wrap(
            _core.vector_from_sparse(given_or_default(context), code_of_array(array), size, at,
                                     array, copy)
        )

    @classmethod
    def from_entries(cls, indices: ArrayLike, values: Union[ArrayLike, Number],
                     size: Optional[int] = None, *, dtype: Optional[DTypeLike] = None,
                     duplicates: str = "error", context: Optional[Context] = None) -> "Vector":
        """A vector from positions in any order and their values, which are copied.

        Parameters
        ----------
        indices : array of integers
        values : array of the same length, or one value for all
        size : int, optional
            Number of positions; one more than the largest index if None.
        dtype : dtype, optional
            Of the vector; that of the values if None. Fractions are dropped if it is of integers.
        duplicates : {"error", "sum", "min", "max", "first", "last"}
            How values at one position are combined.

        Raises
        ------
        OverflowError
            A value that does not fit the dtype.
        """
        at = np.ascontiguousarray(indices)
        if at.size == 0:
            at = at.astype(np.int64)
        given = np.asarray(values)
        code = code_of(given.dtype if dtype is None else dtype)
        if given.ndim == 0:
            given = np.broadcast_to(given, at.shape)
        if dtype is not None:
            given = np.broadcast_to(exact(values, code), given.shape)
        array = fitted(given, code)
        if size is None:
            size = int(at.max()) + 1 if at.size else 0
        return cls._wrap(
            _core.vector_from_entries(given_or_default(context), code, size, at, array,
                                      duplicates_code(duplicates))
        )

    # --- what it is

    @property
    def size(self) -> int:
        """Number of positions."""
        return self._core.size

    def __contains__(self, position: object) -> bool:
        try:
            at = single_position(position, self.size)
        except IndexError:
            return False
        return at is not None and self._core.get(at) is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_entries()[0].tolist())

    def items(self) -> Iterator[tuple[int, Any]]:
        """Pairs of position and value, by position."""
        indices, values = self.to_entries()
        return zip(indices.tolist(), values.tolist())

    def __repr__(self) -> str:
        indices, values = self.to_entries()
        head = (
            f"tropic.Vector of {self.size:,} positions, {len(indices):,} entries, {self.dtype}, "
            f"on {self._core.context.name}"
        )
        shown = [f"{i:>8}  {value}" for i, value in zip(indices[:6].tolist(), values[:6].tolist())]
        if len(indices) > 6:
            shown.append(f"{'...':>8}")
        return "\n".join([head, *shown])

    def __reduce__(self) -> Any:
        indices, values = self.to_entries()
        return _restore, (self.size, indices, values)

    # --- out

    def to_numpy(self, missing: Optional[Number] = None) -> "np.ndarray[Any, Any]":
        """The values, read-only; without a copy if there is an entry at every position.

        Parameters
        ----------
        missing : number, optional
            The value of positions without an entry; UsageError if there are any and it is None.
        """
        return _core.vector_dense(self._core, missing)

    def to_entries(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """Positions, ascending, and values; read-only, without a copy if it is stored so."""
        return _core.vector_entries(self._core)

    def __array__(self, dtype: Optional[DTypeLike] = None,
                  copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        values = self.to_numpy()
        if dtype is not None and values.dtype != np.dtype(dtype):
            if copy is False:
                raise UsageError(f"values of {values.dtype} as {np.dtype(dtype)} need a copy")
            return values.astype(dtype)
        return values.copy() if copy else values

    def __dlpack__(self, *, stream: Optional[int] = None,
                   max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None,
                   copy: Optional[bool] = None) -> Any:
        """The values for DLPack where they lie; an entry is needed at every position (SharedArray)."""
        shared = SharedArray(_core.vector_shared(self._core))
        return shared.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        name = self._core.context.name
        if not self._core.context.is_host:
            kind, _, number = name.partition(":")
            return (2 if kind == "cuda" else 4), int(number)
        return 1, 0

    def astype(self, dtype: DTypeLike) -> "Vector":
        """The same entries with another type, converted as docs/operators.md says."""
        result = self._like(code_of(dtype))
        _core.apply(result._core, "identity", self._core, None, None, None, False)
        return result

    @classmethod
    def _new(cls, size: int, code: int, beside: Union[_core.Vector, _core.Matrix]) -> "Vector":
        return cls._wrap(_core.empty_vector(beside.context, code, size))

    def _like(self, code: int) -> "Vector":
        return Vector._new(self.size, code, self._core)

    # --- single entries and parts

    def get(self, position: int, default: Any = None) -> Any:
        """The value at a position, or `default` if there is no entry."""
        at = single_position(position, self.size)
        if at is None:
            raise TypeError(f"a position is an integer, found a {type(position).__name__}")
        value = self._core.get(at)
        return default if value is None else value

    def __getitem__(self, key: Any) -> Any:
        at = single_position(key, self.size)
        return self.extract(key) if at is None else self._core.get(at)

    def __setitem__(self, key: Any, value: Any) -> None:
        at = single_position(key, self.size)
        if at is None:
            self.assign(value, key)
        else:
            self._core.set(at, value)

    def __delitem__(self, position: int) -> None:
        at = single_position(position, self.size)
        if at is None:
            raise TypeError("del v[i] removes one entry; i is an integer")
        self._core.remove(at)

    def resize(self, size: int) -> None:
        """Another number of positions; entries past the end are removed."""
        self._core.resize(size)

    def extract(self, positions: Positions = None, *, out: "Optional[Vector]" = None,
                mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
                replace: bool = False) -> "Vector":
        """w(n) = u(positions[n]); positions may repeat. ``v[2:5]`` and ``v[[4, 1]]`` call it."""
        check_output(out, Vector, accumulate, replace)
        at = core_positions(positions, self.size)
        if out is None:
            out = Vector._new(count_of(at, self.size), self._core.type, self._core)
        _core.extract_vector(out._core, self._core, at, core_mask(mask, Vector),
                             core_accumulate(accumulate), replace)
        return out

    def assign(self, value: "Union[Vector, Number, ArrayLike]", positions: Positions = None, *,
               mask: MaskLike = None, accumulate: Optional[OperatorLike] = None,
               replace: bool = False) -> None:
        """w<mask>(positions) accumulate= value: a number, or a vector with one position for each.

        An array is a vector with an entry at every position, converted to the vector's type.
        Mask and replace are about the whole vector. ``v[2:5] = 1`` calls it. Raises UsageError for
        a position that is listed twice, and OverflowError for a value that does not fit the type.
        """
        at = core_positions(positions, self.size)
        options = core_mask(mask, Vector), core_accumulate(accumulate), replace
        if isinstance(value, (list, tuple)) or is_array(value):
            array = exact(value, self._core.type)
            value = array[()]
            if array.ndim > 0:
                value = Vector.from_array(fitted(array, self._core.type), context=self.context)
        if isinstance(value, Vector):
            _core.assign_vector(self._core, value._core, at, *options)
        else:
            _core.assign_vector_value(self._core, value, at, *options)

    # --- operations

    def vxm(self, matrix: "Union[Matrix, Transposed]", semiring: SemiringLike = "plus_times", *,
            out: "Optional[Vector]" = None, mask: MaskLike = None,
            accumulate: Optional[OperatorLike] = None, replace: bool = False,
            kernel: Optional[str] = None, expected_calls: int = 1) -> "Vector":
        """w'<mask> accumulate= u' A: w(j) = sum over k of multiply(u(k), A(k,j)).

        Parameters and errors are those of Matrix.mxv.
        """
        from ._products import as_operand, product

        return product(True, as_operand(matrix), self, semiring, out, mask, accumulate, replace,
                       kernel, expected_calls)

    def __matmul__(self, other: Any) -> Any:
        from ._matrix import Matrix
        from ._products import Transposed, promoted_product

        if isinstance(other, (Matrix, Transposed)):
            return promoted_product(True, other, self)
        if isinstance(other, np.ndarray) and other.ndim == 1:
            other = Vector.from_array(other, context=self.context)
        if not isinstance(other, Vector):
            return NotImplemented
        return self.ewise_multiply(other, "times").reduce("plus")

    def __rmatmul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray) and other.ndim == 1:
            return Vector.from_array(other, context=self.context) @ self
        return NotImplemented

    def to_diagonal(self, k: int = 0) -> "Matrix":
        """The square matrix with these entries on its k-th diagonal."""
        from ._matrix import Matrix

        return Matrix._wrap(_core.diagonal_matrix(self._core, k))


def _restore(size: int, indices: Any, values: Any) -> Vector:
    return Vector.from_sparse(indices, values, size)
