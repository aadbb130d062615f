# SPDX-License-Identifier: Apache-2.0
"""From a Python function to the text of an operator: the function is called once with symbols."""

from __future__ import annotations

import inspect
import math
from typing import Any, Callable, Union

import numpy as np

from ._errors import ExpressionError

_POSITIONS = ("i", "j", "k")

# Binding strengths as in C, so that only needed parentheses are written.
_CONDITIONAL, _OR, _AND, _BIT_OR, _BIT_XOR, _BIT_AND, _EQUAL, _LESS, _SHIFT, _SUM, _PRODUCT = range(11)
_UNARY, _ATOM = 11, 12


def _text_of(value: object) -> tuple[str, int]:
    if isinstance(value, Symbol):
        return value._text, value._strength
    if isinstance(value, (bool, np.bool_)):
        return ("true" if value else "false"), _ATOM
    if isinstance(value, (int, np.integer)):
        number = int(value)
        return str(number), (_ATOM if number >= 0 else _UNARY)
    if isinstance(value, (float, np.floating)):
        real = float(value)
        if math.isnan(real):
            raise ExpressionError("nan: the operator language has no literal for it")
        if math.isinf(real):
            return ("t_inf" if real > 0 else "t_lowest"), _ATOM
        text = repr(abs(real))
        if "." not in text and "e" not in text:
            text += ".0"
        return (text, _ATOM) if real >= 0 and not math.copysign(1, real) < 0 else ("-" + text, _UNARY)
    raise ExpressionError(
        f"{value!r} is a {type(value).__name__}: operands are the function's arguments and numbers"
    )


def _grouped(value: object, least: int) -> str:
    text, strength = _text_of(value)
    return text if strength >= least else f"({text})"


def _binary(sign: str, strength: int, left: object, right: object) -> "Symbol":
    # All binary operators group from the left.
    text = f"{_grouped(left, strength)} {sign} {_grouped(right, strength + 1)}"
    return Symbol(text, strength)


def _call(name: str, *arguments: object) -> "Symbol":
    return Symbol(f"{name}({', '.join(_text_of(one)[0] for one in arguments)})", _ATOM)


def _where(condition: object, yes: object, no: object) -> "Symbol":
    text = (
        f"{_grouped(condition, _CONDITIONAL + 1)} ? {_grouped(yes, _CONDITIONAL + 1)}"
        f" : {_grouped(no, _CONDITIONAL + 1)}"
    )
    return Symbol(text, _CONDITIONAL)


def _refuse(what: str, why: str) -> Any:
    raise ExpressionError(f"{what}: {why}")


class Symbol:
    """An argument of a function that is traced, or an expression of it."""

    __slots__ = ("_strength", "_text")
    __hash__ = None  # type: ignore[assignment]
    # NumPy leaves its operators to the methods below.
    __array_priority__ = 1000

    def __init__(self, text: str, strength: int) -> None:
        self._text = text
        self._strength = strength

    def __repr__(self) -> str:
        return self._text

    def __add__(self, other: object) -> "Symbol":
        return _binary("+", _SUM, self, other)

    def __radd__(self, other: object) -> "Symbol":
        return _binary("+", _SUM, other, self)

    def __sub__(self, other: object) -> "Symbol":
        return _binary("-", _SUM, self, other)

    def __rsub__(self, other: object) -> "Symbol":
        return _binary("-", _SUM, other, self)

    def __mul__(self, other: object) -> "Symbol":
        return _binary("*", _PRODUCT, self, other)

    def __rmul__(self, other: object) -> "Symbol":
        return _binary("*", _PRODUCT, other, self)

    def __truediv__(self, other: object) -> "Symbol":
        return _binary("/", _PRODUCT, self, other)

    def __rtruediv__(self, other: object) -> "Symbol":
        return _binary("/", _PRODUCT, other, self)

    def __mod__(self, other: object) -> "Symbol":
        return _binary("%", _PRODUCT, self, other)

    def __rmod__(self, other: object) -> "Symbol":
        return _binary("%", _PRODUCT, other, self)

    def __pow__(self, other: object) -> "Symbol":
        return _call("t_pow", self, other)

    def __rpow__(self, other: object) -> "Symbol":
        return _call("t_pow", other, self)

    def __and__(self, other: object) -> "Symbol":
        return _binary("&", _BIT_AND, self, other)

    def __rand__(self, other: object) -> "Symbol":
        return _binary("&", _BIT_AND, other, self)

    def __or__(self, other: object) -> "Symbol":
        return _binary("|", _BIT_OR, self, other)

    def __ror__(self, other: object) -> "Symbol":
        return _binary("|", _BIT_OR, other, self)

    def __xor__(self, other: object) -> "Symbol":
        return _binary("^", _BIT_XOR, self, other)

    def __rxor__(self, other: object) -> "Symbol":
        return _binary("^", _BIT_XOR, other, self)

    def __lshift__(self, other: object) -> "Symbol":
        return _binary("<<", _SHIFT, self, other)

    def __rlshift__(self, other: object) -> "Symbol":
        return _binary("<<", _SHIFT, other, self)

    def __rshift__(self, other: object) -> "Symbol":
        return _binary(">>", _SHIFT, self, other)

    def __rrshift__(self, other: object) -> "Symbol":
        return _binary(">>", _SHIFT, other, self)

    def __lt__(self, other: object) -> "Symbol":
        return _binary("<", _LESS, self, other)

    def __le__(self, other: object) -> "Symbol":
        return _binary("<=", _LESS, self, other)

    def __gt__(self, other: object) -> "Symbol":
        return _binary(">", _LESS, self, other)

    def __ge__(self, other: object) -> "Symbol":
        return _binary(">=", _LESS, self, other)

    def __eq__(self, other: object) -> "Symbol":  # type: ignore[override]
        return _binary("==", _EQUAL, self, other)

    def __ne__(self, other: object) -> "Symbol":  # type: ignore[override]
        return _binary("!=", _EQUAL, self, other)

    def __neg__(self) -> "Symbol":
        return Symbol(f"-{_grouped(self, _ATOM)}", _UNARY)

    def __pos__(self) -> "Symbol":
        return self

    def __invert__(self) -> "Symbol":
        return Symbol(f"~{_grouped(self, _ATOM)}", _UNARY)

    def __abs__(self) -> "Symbol":
        return _call("t_abs", self)

    def __floor__(self) -> "Symbol":
        return _call("t_floor", self)

    def __ceil__(self) -> "Symbol":
        return _call("t_ceil", self)

    # What cannot be said.

    def __bool__(self) -> bool:
        return _refuse(
            f"the truth of '{self._text}'",
            "is not known when the function is traced; write np.where(condition, a, b) for if, "
            "np.minimum(a, b) for min, np.maximum(a, b) for max, "
            "np.logical_and(a, b), np.logical_or(a, b) and np.logical_not(a) for and, or and not",
        )

    def _number(self) -> Any:
        return _refuse(f"'{self._text}' as a number", "its value is not known when it is traced")

    __float__ = __int__ = __index__ = __complex__ = __round__ = __trunc__ = _number

    def _floored(self, other: object) -> Any:
        return _refuse(
            f"'{self._text} // {other}'",
            "is not in the operator language; x / y of integers is truncated",
        )

    __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _floored

    def __matmul__(self, other: object) -> Any:
        return _refuse(f"'{self._text} @ {other}'", "operands are single values")

    def __getitem__(self, key: object) -> Any:
        return _refuse(f"'{self._text}[{key}]'", "operands are single values")

    def __iter__(self) -> Any:
        return _refuse(f"iterating over '{self._text}'", "operands are single values")

    def __len__(self) -> int:
        return _refuse(f"the length of '{self._text}'", "operands are single values")

    def __call__(self, *_: object) -> Any:
        return _refuse(f"calling '{self._text}'", "operands are single values")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _refuse(f"'{self._text}.{name}'", "operands are numbers without attributes")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Any:
        shown = f"np.{ufunc.__name__}({', '.join(str(one) for one in inputs)})"
        if method != "__call__" or options:
            return _refuse(shown, "only plain calls of functions of NumPy are translated")
        make = _UFUNCS.get(ufunc)
        if make is None:
            known = ", ".join(sorted({one.__name__ for one in _UFUNCS}))
            return _refuse(shown, f"is not in the operator language; of NumPy there are {known}")
        return make(*inputs)

    def __array_function__(self, function: Callable[..., Any], types: object, arguments: tuple[Any, ...],
                           options: dict[str, Any]) -> Any:
        if function is np.where and len(arguments) == 3 and not options:
            return _where(*arguments)
        name = getattr(function, "__name__", repr(function))
        return _refuse(f"np.{name}", "is not in the operator language; there is np.where(c, a, b)")


_UFUNCS: dict[np.ufunc, Callable[..., Symbol]] = {
    np.add: lambda a, b: _binary("+", _SUM, a, b),
    np.subtract: lambda a, b: _binary("-", _SUM, a, b),
    np.multiply: lambda a, b: _binary("*", _PRODUCT, a, b),
    np.true_divide: lambda a, b: _binary("/", _PRODUCT, a, b),
    np.power: lambda a, b: _call("t_pow", a, b),
    np.minimum: lambda a, b: _call("t_min", a, b),
    np.maximum: lambda a, b: _call("t_max", a, b),
    np.fmin: lambda a, b: _call("t_min", a, b),
    np.fmax: lambda a, b: _call("t_max", a, b),
    np.absolute: lambda a: _call("t_abs", a),
    np.negative: lambda a: Symbol(f"-{_grouped(a, _ATOM)}", _UNARY),
    np.sqrt: lambda a: _call("t_sqrt", a),
    np.exp: lambda a: _call("t_exp", a),
    np.log: lambda a: _call("t_log", a),
    np.floor: lambda a: _call("t_floor", a),
    np.ceil: lambda a: _call("t_ceil", a),
    np.isnan: lambda a: _call("t_isnan", a),
    np.logical_and: lambda a, b: _binary("&&", _AND, a, b),
    np.logical_or: lambda a, b: _binary("||", _OR, a, b),
    np.logical_not: lambda a: Symbol(f"!{_grouped(a, _ATOM)}", _UNARY),
    np.logical_xor: lambda a, b: Symbol(f"!{_grouped(a, _ATOM)} != !{_grouped(b, _ATOM)}", _EQUAL),
    np.less: lambda a, b: _binary("<", _LESS, a, b),
    np.less_equal: lambda a, b: _binary("<=", _LESS, a, b),
    np.greater: lambda a, b: _binary(">", _LESS, a, b),
    np.greater_equal: lambda a, b: _binary(">=", _LESS, a, b),
    np.equal: lambda a, b: _binary("==", _EQUAL, a, b),
    np.not_equal: lambda a, b: _binary("!=", _EQUAL, a, b),
    np.bitwise_and: lambda a, b: _binary("&", _BIT_AND, a, b),
    np.bitwise_or: lambda a, b: _binary("|", _BIT_OR, a, b),
    np.bitwise_xor: lambda a, b: _binary("^", _BIT_XOR, a, b),
    np.left_shift: lambda a, b: _binary("<<", _SHIFT, a, b),
    np.right_shift: lambda a, b: _binary(">>", _SHIFT, a, b),
    np.square: lambda a: _binary("*", _PRODUCT, a, a),
    np.reciprocal: lambda a: _binary("/", _PRODUCT, 1, a),
}


def trace(function: Callable[..., Any]) -> str:
    """The text of the operator that `function` computes.

    The function is called once. Its parameters called ``i``, ``j`` and ``k`` are positions; the
    others are the first operand and the second one. Raises ExpressionError, naming the expression,
    for what is not in the operator language.
    """
    if isinstance(function, np.ufunc):
        return _text_of(function(*(Symbol(name, _ATOM) for name in "xy"[: function.nin])))[0]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as cause:
        raise ExpressionError(
            f"{function!r} has no signature: give a function written in Python, or text"
        ) from cause
    operands = iter(("x", "y"))
    symbols = []
    for one in parameters:
        if one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            raise ExpressionError(f"the parameter '{one}': needed are plain ones, such as x and y")
        if one.default is not one.empty:
            continue  # a constant, as in lambda x, y, d=0.85: d * x * y
        name = one.name if one.name in _POSITIONS else next(operands, None)
        if name is None:
            raise ExpressionError(
                f"the parameter '{one.name}' is a third operand; there are two, and the positions "
                "i, j and k by name"
            )
        symbols.append(Symbol(name, _ATOM))
    return _text_of(function(*symbols))[0]


Text = Union[str, Callable[..., Any]]
