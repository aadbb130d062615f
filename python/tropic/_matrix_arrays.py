# SPDX-License-Identifier: Apache-2.0
"""Matrices from the arrays of other packages, and as such arrays."""

from __future__ import annotations

from typing import Any, Optional, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from . import _core
from ._container import Container
from ._context import Context, given_or_default
from ._errors import UsageError
from ._shared import SharedArray
from ._types import Number, code_of, duplicates_code, exact, fitted
from ._vector import as_array, code_of_array

M = TypeVar("M", bound="MatrixArrays")


class MatrixArrays(Container):
    """The part of Matrix that arrays come from and go to: NumPy's, SciPy's, PyTorch's, DLPack's."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._core.rows, self._core.columns

    # --- from arrays

    @classmethod
    def from_csr(cls: "type[M]", indptr: ArrayLike, indices: ArrayLike,
                 data: Union[ArrayLike, Number], shape: tuple[int, int], *, copy: bool = False,
                 context: Optional[Context] = None) -> M:
        """A matrix over the memory of compressed sparse rows.

        Parameters
        ----------
        indptr : array of rows + 1 integers of 32 or 64 bits
        indices : array of integers
            The columns, strictly ascending in each row. Those of 32 bits are not copied, those of
            64 bits are narrowed.
        data : array of one value per entry, or one number for all entries
            NumPy arrays, or anything with DLPack, on the host or on the context's device.
            Contiguous arrays are not copied: they are kept alive and must not be written while the
            matrix is used.
        shape : (int, int)
        copy : bool
            Copy the arrays.

        Raises
        ------
        UsageError
            Columns that do not ascend or are past the end, offsets that fall; the message names
            row and entry.
        """
        start, at = as_array(indptr), as_array(indices)
        array = np.array([data]) if isinstance(data, (int, float, np.generic)) else as_array(data)
        return cls._wrap(
            _core.matrix_from_csr(given_or_default(context), code_of_array(array), *shape, start,
                                  at, array, copy)
        )

    @classmethod
    def from_csc(cls: "type[M]", indptr: ArrayLike, indices: ArrayLike, data: ArrayLike,
                 shape: tuple[int, int], *, context: Optional[Context] = None) -> M:
        """A matrix from compressed sparse columns, which are copied.

        ``Matrix.from_csr(indptr, indices, data, shape[::-1]).T`` uses them without a copy.
        """
        array = as_array(data)
        return cls._wrap(
            _core.matrix_from_csc(given_or_default(context), code_of_array(array), *shape,
                                  as_array(indptr), as_array(indices), array)
        )

    @classmethod
    def from_entries(cls: "type[M]", rows: ArrayLike, columns: ArrayLike,
                     values: Union[ArrayLike, Number] = True,
                     shape: Optional[tuple[int, int]] = None, *,
                     dtype: Optional[DTypeLike] = None, duplicates: str = "error",
                     context: Optional[Context] = None) -> M:
        """A matrix from entries in any order, which are copied.

        Parameters
        ----------
        rows, columns : arrays of integers
        values : array of the same length, or one value for all entries, which is stored once
        shape : (int, int), optional
            One more than the largest row and column if None.
        dtype : dtype, optional
            Of the matrix; that of the values if None. Fractions are dropped if it is of integers.
        duplicates : {"error", "sum", "min", "max", "first", "last"}
            How values at one position are combined.

        Raises
        ------
        OverflowError
            A value that does not fit the dtype.
        """
        i, j = (np.ascontiguousarray(one) for one in (rows, columns))
        if i.size == 0 and j.size == 0:
            i, j = i.astype(np.int64), j.astype(np.int64)
        given = np.asarray(values)
        code = code_of(given.dtype if dtype is None else dtype)
        array = fitted(given if dtype is None else exact(values, code), code)
        if shape is None:
            shape = (int(i.max()) + 1, int(j.max()) + 1) if i.size else (0, 0)
        return cls._wrap(
            _core.matrix_from_entries(given_or_default(context), code, *shape, i, j, array,
                                      given.ndim == 0, duplicates_code(duplicates))
        )

    @classmethod
    def from_scipy(cls: "type[M]", matrix: Any, *, copy: bool = False,
                   context: Optional[Context] = None) -> M:
        """A matrix from a sparse array or matrix of SciPy of any format.

        The arrays of CSR are used in place, as by from_csr, if columns ascend without repetitions;
        otherwise, and for other formats, they are copied, and repeated entries summed as SciPy does.
        """
        if not hasattr(matrix, "tocsr") or len(getattr(matrix, "shape", ())) != 2:
            raise TypeError(f"a sparse array of SciPy is needed, found a {type(matrix).__name__}")
        if matrix.format == "csc" and matrix.has_canonical_format:
            return cls.from_csc(matrix.indptr, matrix.indices, matrix.data, matrix.shape,
                                context=context)
        rows = matrix if matrix.format == "csr" else matrix.tocsr()
        if not rows.has_canonical_format:
            if rows is matrix:
                rows = rows.copy()
            rows.sum_duplicates()
        return cls.from_csr(rows.indptr, rows.indices, rows.data, rows.shape, copy=copy,
                            context=context)

    @classmethod
    def from_torch(cls: "type[M]", tensor: Any, *, copy: bool = False,
                   context: Optional[Context] = None) -> M:
        """A matrix from a sparse tensor of PyTorch of two dimensions.

        Parameters
        ----------
        tensor : torch.Tensor
            With the layout sparse_csr: its values are used in place as by from_csr, and so are
            indices of 32 bits; those of 64 bits, PyTorch's default, are narrowed. sparse_csc and
            sparse_coo are copied, repeated entries of sparse_coo summed as PyTorch does.
        copy : bool
            Copy the arrays.
        context : Context, optional
            That of the tensor's device; the default context if None.

        Raises
        ------
        UsageError
            Another layout, number of dimensions, type or device; a tensor that requires a gradient.
        """
        layout = str(getattr(tensor, "layout", None)).rpartition(".")[2]
        if layout not in ("sparse_csr", "sparse_csc", "sparse_coo"):
            raise UsageError(
                f"a tensor with the layout {layout}, needed sparse_csr, sparse_csc or sparse_coo"
            )
        if len(tensor.shape) != 2:
            raise UsageError(f"a tensor of two dimensions is needed, found {len(tensor.shape)}")
        shape = int(tensor.shape[0]), int(tensor.shape[1])
        if layout == "sparse_coo":
            tensor = tensor.coalesce()
            layout, tensor = "sparse_csr", tensor.to_sparse_csr()
        if layout == "sparse_csc":
            return cls.from_csc(tensor.ccol_indices(), tensor.row_indices(), tensor.values(), shape,
                                context=context)
        return cls.from_csr(tensor.crow_indices(), tensor.col_indices(), tensor.values(), shape,
                            copy=copy, context=context)

    def to_torch(self) -> Any:
        """A tensor of PyTorch with the layout sparse_csr, over the matrix's memory.

        In a context of a CUDA device it is on that device, and PyTorch's current stream waits for
        the values; elsewhere it is on the host, to which an OpenCL device copies the arrays. For
        other copies see to_csr and to_dlpack. PyTorch has no read-only tensors: the result
        must not be written. PyTorch is imported here.
        """
        import warnings

        import torch

        if self._core.context.name.startswith("cuda:"):
            indptr, indices, values = map(torch.from_dlpack, self.to_dlpack())
        else:
            with warnings.catch_warnings():
                # Of arrays that are not writable, which is said above.
                warnings.simplefilter("ignore", UserWarning)
                indptr, indices, values = map(torch.from_numpy, self.to_csr())
        return torch.sparse_csr_tensor(indptr, indices, values, size=self.shape)

    @classmethod
    def from_dense(cls: "type[M]", values: ArrayLike, missing: Optional[Number] = 0, *,
                   context: Optional[Context] = None) -> M:
        """A matrix from an array of two dimensions, without entries where it is `missing`.

        With ``missing=None`` every position has an entry.
        """
        array = np.asarray(values)
        if array.ndim != 2:
            raise UsageError(f"an array of two dimensions is needed, found {array.ndim}")
        rows, columns = array.shape
        if missing is None:
            start = np.arange(rows + 1) * columns
            at, data = np.tile(np.arange(columns), rows), array.ravel()
        else:
            there = array == array if missing != missing else array != missing
            start = np.concatenate([[0], np.cumsum(np.count_nonzero(there, axis=1))])
            at, data = np.nonzero(there)[1], array[there]
        if columns < 2**31:
            at = at.astype(np.int32)
        return cls.from_csr(start, at, data, (rows, columns), copy=data.base is not None,
                            context=context)

    # --- out

    def to_csr(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """Offsets, columns and values of compressed sparse rows; read-only, without a copy.

        Offsets and columns are int32 where all numbers fit, else int64, which needs a copy of the
        columns. Values are copied if all entries share one.
        """
        return _core.matrix_compressed(self._core, False)

    def to_dlpack(self) -> tuple[SharedArray, SharedArray, SharedArray]:
        """Offsets, columns and values of compressed sparse rows where they lie, for DLPack.

        On the host they are those of to_csr. In a context of a device they are on the device, and
        are not copied to the host: ``cupy.from_dlpack(A.to_dlpack()[2])``. There, too, offsets and
        columns are int32 where all numbers fit, else int64; arrays that the matrix stores otherwise
        are converted on the device.
        """
        offsets, columns, values = _core.matrix_shared(self._core)
        return SharedArray(offsets), SharedArray(columns), SharedArray(values)

    def to_csc(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """Offsets, rows and values of compressed sparse columns: the transpose is computed."""
        return _core.matrix_compressed(self._core, True)

    def to_coo(self) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]":
        """Rows, columns and values, by row and then by column."""
        return _core.matrix_coordinates(self._core)

    def to_scipy(self, format: str = "csr") -> Any:
        """A sparse array of SciPy in the format "csr", "csc" or "coo", over read-only arrays.

        In CSR nothing is copied (see to_csr). SciPy is imported here.
        """
        from scipy import sparse

        if format == "coo":
            rows, columns, values = self.to_coo()
            return sparse.coo_array((values, (rows, columns)), shape=self.shape, copy=False)
        if format not in ("csr", "csc"):
            raise UsageError(f"format is {format!r}, needed 'csr', 'csc' or 'coo'")
        indptr, indices, values = self.to_csr() if format == "csr" else self.to_csc()
        make = sparse.csr_array if format == "csr" else sparse.csc_array
        result = make((values, indices, indptr), shape=self.shape, copy=False)
        result.has_canonical_format = True
        return result

    def to_dense(self, missing: Optional[Number] = None) -> "np.ndarray[Any, Any]":
        """An array of two dimensions; positions without an entry get `missing`.

        Raises UsageError if there are any and it is None, and OverflowError if it does not fit the
        type.
        """
        rows, columns, values = self.to_coo()
        if missing is None and len(values) < self.shape[0] * self.shape[1]:
            raise UsageError(
                f"{self.shape[0] * self.shape[1] - len(values)} positions have no entry: give the "
                "value that they get, as missing=0"
            )
        given: Any = 0 if missing is None else missing
        if np.ndim(given) != 0:
            raise TypeError(f"missing is a number, found {np.ndim(given)} dimensions")
        gap = fitted(given, self._core.type)[0]
        result = np.full(self.shape, gap, dtype=self.dtype)
        result[rows, columns] = values
        return result

    def __array__(self, dtype: Optional[DTypeLike] = None,
                  copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        # Without it NumPy would make an array of what iterating gives, the positions.
        if copy is False:
            raise UsageError("an array of a sparse matrix is a copy")
        values = self.to_dense()
        return values if dtype is None else values.astype(dtype, copy=False)
