# SPDX-License-Identifier: Apache-2.0
"""Value types: NumPy's dtypes and the codes of the library."""

from __future__ import annotations

from typing import Any, Union

import numpy as np
from numpy.typing import DTypeLike

from ._errors import UsageError

#: The eleven value types, by their codes.
DTYPES: tuple[np.dtype[Any], ...] = tuple(
    np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64", "float32", "float64",
    )
)
_CODES = {dtype: code for code, dtype in enumerate(DTYPES)}
# Names of the library, as in `tropic spmv --type fp32`.
_NAMES: dict[str, np.dtype[Any]] = {"fp32": np.dtype("float32"), "fp64": np.dtype("float64")}

#: A number of Python or NumPy.
Number = Union[bool, int, float, np.generic]

BOOL = _CODES[np.dtype("bool")]
INT64 = _CODES[np.dtype("int64")]
FP64 = _CODES[np.dtype("float64")]


def code_of(dtype: DTypeLike) -> int:
    """The code of a dtype; raises UsageError for types that containers cannot hold."""
    try:
        known = _NAMES.get(dtype) if isinstance(dtype, str) else None
        wanted: np.dtype[Any] = np.dtype(dtype) if known is None else known
    except TypeError as cause:
        raise UsageError(f"dtype {dtype!r} is not a NumPy dtype") from cause
    code = _CODES.get(wanted)
    if code is None:
        raise UsageError(
            f"dtype {wanted}, expected one of {', '.join(str(one) for one in DTYPES)}"
        )
    return code


def exact(values: Any, code: int) -> "np.ndarray[Any, Any]":
    """The values as an array.

    NumPy makes floats of integers below and from 2**63 in one list. For a type of integers they are
    objects here, which keep every digit.
    """
    given = np.asarray(values)
    if given.dtype.kind == "f" and DTYPES[code].kind in "iu" and not hasattr(values, "dtype"):
        objects = np.array(values, dtype=object)
        if all(isinstance(one, (int, np.integer)) for one in objects.flat):
            return objects
    return given


def fitted(values: Any, code: int) -> "np.ndarray[Any, Any]":
    """The values as a contiguous array of that type, of one dimension or more.

    Fractions are dropped where the type is one of integers, and every number but zero is true, as
    NumPy has it. Raises OverflowError for a value that does not fit, where NumPy would wrap.
    """
    given, wanted = np.atleast_1d(np.asarray(values)), DTYPES[code]
    if given.dtype.kind not in "biufO":
        code_of(given.dtype)  # raises UsageError
    if wanted.kind == "b" or given.size == 0 or np.can_cast(given.dtype, wanted):
        return np.ascontiguousarray(given, dtype=wanted)
    if wanted.kind == "f":
        if given.dtype.kind == "O":
            given = given.astype(np.float64)
        with np.errstate(over="ignore"):
            result = np.ascontiguousarray(given, dtype=wanted)
        infinite = np.isinf(result)
        if infinite.any():
            beyond = infinite & np.isfinite(given)
            if beyond.any():
                raise OverflowError(f"{given[beyond][0]} does not fit {wanted}")
        return result
    limits = np.iinfo(wanted)
    with np.errstate(invalid="ignore"):
        for one in (given.min(), given.max()):  # NaN is both of them
            number = one.item() if isinstance(one, np.generic) else one
            if not limits.min - 1 < number < limits.max + 1:
                raise OverflowError(f"{number} does not fit {wanted}")
        try:
            return np.ascontiguousarray(given, dtype=wanted)
        except ValueError as cause:  # NaN between other objects
            raise OverflowError(f"a value does not fit {wanted}: {cause}") from cause


def common_code(*codes: int) -> int:
    """The type that NumPy gives a result of these types."""
    return code_of(np.result_type(*(DTYPES[code] for code in codes)))


#: How several entries at one position are combined.
_DUPLICATES = {"error": 0, "sum": 1, "min": 2, "max": 3, "first": 4, "last": 5}


def duplicates_code(rule: str) -> int:
    """The code of a rule for duplicates."""
    try:
        return _DUPLICATES[rule]
    except (KeyError, TypeError):
        raise UsageError(
            f"duplicates is {rule!r}, needed {', '.join(map(repr, _DUPLICATES))}"
        ) from None
