# SPDX-License-Identifier: Apache-2.0
"""Files and generators."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from numpy.typing import DTypeLike

from . import _core
from ._context import Context, given_or_default
from ._errors import UsageError
from ._matrix import Matrix
from ._progress import Progress, shows_progress
from ._types import code_of, duplicates_code

Path = Union[str, "os.PathLike[str]"]


@shows_progress
def read(file: Path, *, dtype: Optional[DTypeLike] = None, undirected: bool = False,
         duplicates: str = "sum", format: Optional[str] = None,
         context: Optional[Context] = None, progress: Progress = None) -> Matrix:
    """The matrix of a file.

    Parameters
    ----------
    file : path
        Matrix Market, DIMACS ``.gr``, edge lists, SNAP, ``.csv``, ``.tsv``, METIS, LDBC or
        ``.tropic``, also with ``.gz``, ``.xz`` or ``.zst`` (docs/files.md), with numbers as
        vertices. Or a generator: ``"kron:SCALE[:DEGREE[:SEED]]"``, ``"urand:..."``,
        ``"grid:SIDE"``, with weights from 1 to 255 if `dtype` can hold them.
    dtype : dtype, optional
        Convert the values; one that does not fit is an InputError. None: the type in the file,
        bool if it has no values.
    undirected : bool
        Add the reverse of every edge, unless the file is known to be symmetric.
    duplicates : {"sum", "error", "min", "max", "first", "last"}
        How values at one position are combined.
    format : str, optional
        The format, as an extension without its dot, such as ``"csv.gz"``; None: found from the
        content and the name of the file.
    context : Context, optional
        Where the matrix is made; the default context if None.
    progress : callable or bool, optional
        Receives the file's name and the fraction done; True: a bar of tqdm if that is installed.

    Raises
    ------
    InputError
        The file cannot be read or violates its format; the message names the line.
    """
    return Matrix._wrap(
        _core.read(given_or_default(context), os.fspath(file),
                   None if dtype is None else code_of(dtype), undirected,
                   duplicates_code(duplicates), format, progress)
    )


@shows_progress
def write(file: Path, matrix: Matrix, *, format: Optional[str] = None, drop_values: bool = False,
          comment: str = "", progress: Progress = None) -> None:
    """Write a matrix in the format of the file's extension, or in `format`.

    The file is replaced as a whole, or not at all (docs/writing.md). Raises UsageError if the
    format cannot hold the matrix; `drop_values` lets one without values write a weighted matrix.
    """
    if not isinstance(matrix, Matrix):
        raise TypeError(f"a Matrix is needed, found a {type(matrix).__name__}")
    _core.write(os.fspath(file), matrix._core, format, drop_values, comment, progress)


def _generated(spec: str, dtype: Optional[DTypeLike], context: Optional[Context]) -> Matrix:
    result = read(spec, dtype=dtype, context=context)
    if dtype is not None and result.dtype.itemsize == 1 and result.dtype.kind == "i":
        raise UsageError(f"int8 cannot hold weights from 1 to 255, found dtype {dtype!r}")
    return result


def kron(scale: int, degree: int = 16, seed: int = 0, *, dtype: Optional[DTypeLike] = None,
         context: Optional[Context] = None) -> Matrix:
    """The Kronecker graph of Graph500 with 2**scale vertices: undirected, without loops.

    `dtype`: that of weights from 1 to 255; None: a pattern.
    """
    return _generated(f"kron:{scale}:{degree}:{seed}", dtype, context)


def urand(scale: int, degree: int = 16, seed: int = 0, *, dtype: Optional[DTypeLike] = None,
          context: Optional[Context] = None) -> Matrix:
    """Both ends of every edge drawn uniformly from 2**scale vertices; otherwise as kron."""
    return _generated(f"urand:{scale}:{degree}:{seed}", dtype, context)


def grid(side: int, *, dtype: Optional[DTypeLike] = None,
         context: Optional[Context] = None) -> Matrix:
    """A grid of side x side vertices, each joined to its neighbours; otherwise as kron."""
    return _generated(f"grid:{side}", dtype, context)
