# SPDX-License-Identifier: Apache-2.0
"""Operators, monoids and semirings: by name, as text, or from a Python function.

None of them has a type: the containers that they are used with give it.
"""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Optional, TypeVar, Union

import numpy as np

from . import _core
from ._errors import ExpressionError, UsageError
from ._trace import trace
from ._types import BOOL, INT64, common_code


class Operator:
    """An operator of ``x`` and ``y``, and of the position ``i``, ``j`` of an entry.

    Made by ``tropic.operator``: ``tropic.operator.plus``, ``tropic.operator("x + 2 * y")`` or
    ``tropic.operator(lambda x, y: x + 2 * y)``. The text is in the operator language
    (docs/operators.md).
    """

    __slots__ = ("_is_truth", "_key", "_uses", "text")

    #: The expression.
    text: str

    def __init__(self, key: str) -> None:
        self._key = key
        self.text, x, y, i, j, k, self._is_truth = _core.operator_facts(key)
        self._uses = frozenset(name for name, used in zip("xyijk", (x, y, i, j, k)) if used)

    @property
    def is_positional(self) -> bool:
        """Whether the expression uses i, j or k."""
        return not self._uses.isdisjoint("ijk")

    def result_code(self, *codes: int) -> int:
        """The type of its value where the user gives none."""
        if self._is_truth:
            return BOOL
        if self._uses and self._uses.isdisjoint("xy"):
            return INT64
        return common_code(*codes)

    def __repr__(self) -> str:
        return f"<tropic.Operator {self._key}>"

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Operator) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> Any:
        return Operator, (self._key,)


#: What stands for an operator: itself, its name, its text, or a function.
OperatorLike = Union[Operator, str, Callable[..., Any]]

_known_operators: dict[str, Operator] = {}


def as_operator(given: OperatorLike) -> Operator:
    """The operator that the user gave. Raises ExpressionError."""
    if isinstance(given, Operator):
        return given
    if isinstance(given, str):
        found = _known_operators.get(given)
        if found is None:
            try:
                found = Operator(given)
            except ExpressionError as cause:
                if given.isidentifier():
                    raise ExpressionError(
                        f"operator {given!r}: neither text nor one of {', '.join(_core.operator_names())}"
                    ) from cause
                raise
            if len(_known_operators) >= 1024:
                _known_operators.clear()
            _known_operators[given] = found
        return found
    if isinstance(given, (Monoid, Semiring)):
        raise UsageError(f"an operator is needed, found {given!r}; a monoid has one: .operator")
    if callable(given):
        return Operator(trace(given))
    raise TypeError(
        f"an operator is its name, text or a function, found a {type(given).__name__}"
    )


# The monoids of the library: the operator, and its identity as text.
_IDENTITIES = {
    "plus": "0", "times": "1", "minimum": "t_inf", "maximum": "t_lowest",
    "logical_or": "0", "logical_and": "1", "logical_xor": "0", "any": "0",
}


def _bare(text: str) -> str:
    return "".join(text.split())


class Monoid:
    """An associative, commutative operator with its identity. Made by ``tropic.monoid``."""

    __slots__ = ("_cached", "_name", "identity", "operator")

    #: The operator.
    operator: Operator
    #: The identity as text: ``"0"``, ``"t_inf"``, ...
    identity: str

    def __init__(self, name: Optional[str], operator: Operator, identity: str) -> None:
        self._name = name
        self.operator = operator
        self.identity = identity
        self._cached: dict[int, _core.Monoid] = {}

    def over(self, code: int) -> _core.Monoid:
        """The monoid over one type."""
        found = self._cached.get(code)
        if found is None:
            if self._name is not None:
                found = _core.monoid_named(self._name, code)
            else:
                found = _core.monoid_from_text(self.operator.text, self.identity, code)
            self._cached[code] = found
        return found

    def __repr__(self) -> str:
        return f"<tropic.Monoid {self._name or f'{self.operator.text}, identity {self.identity}'}>"

    def _parts(self) -> tuple[Any, ...]:
        return self._name, self.operator, self.identity

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Monoid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> Any:
        return Monoid, self._parts()


MonoidLike = Union[Monoid, OperatorLike]


def _identity_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (int, float)):
        if value == float("inf"):
            return "t_inf"
        if value == float("-inf"):
            return "t_lowest"
        return repr(value)
    raise TypeError(f"an identity is a number or text, found a {type(value).__name__}")


def as_monoid(given: MonoidLike, identity: object = None) -> Monoid:
    """The monoid that the user gave. An operator that is one of the library's has its identity."""
    if isinstance(given, Monoid):
        if identity is not None:
            raise UsageError(f"{given!r} has its identity, and another one is given")
        return given
    if isinstance(given, str) and given in _IDENTITIES and identity is None:
        return getattr(monoid, given)
    found = as_operator(given)
    if found.is_positional:
        raise UsageError(f"the add '{found.text}' uses a position; a sum has two values alone")
    if identity is not None:
        return Monoid(None, found, _identity_text(identity))
    for name in _IDENTITIES:
        if _bare(as_operator(name).text) == _bare(found.text):
            return getattr(monoid, name)
    raise UsageError(
        f"the add '{found.text}' needs its identity, as in identity=0; it is known only for the "
        f"operators {', '.join(_IDENTITIES)}"
    )


class Semiring:
    """An add (a monoid) and a multiply (an operator). Made by ``tropic.semiring``."""

    __slots__ = ("_add", "_cached", "_multiply", "_name")

    def __init__(self, name: Optional[str], add: Optional[Monoid] = None,
                 multiply: Optional[Operator] = None) -> None:
        self._name = name
        self._add = add
        self._multiply = multiply
        self._cached: dict[int, _core.Semiring] = {}

    def over(self, code: int) -> _core.Semiring:
        """The semiring over one type."""
        found = self._cached.get(code)
        if found is None:
            if self._name is not None:
                found = _core.semiring_named(self._name, code)
            else:
                assert self._add is not None and self._multiply is not None
                found = _core.semiring_from_text(
                    self._add.operator.text, self._add.identity, self._multiply.text, code
                )
            self._cached[code] = found
        return found

    def __repr__(self) -> str:
        if self._name is not None:
            return f"<tropic.Semiring {self._name}>"
        assert self._add is not None and self._multiply is not None
        return (
            f"<tropic.Semiring add {self._add.operator.text}, identity {self._add.identity}, "
            f"multiply {self._multiply.text}>"
        )

    @property
    def short_name(self) -> str:
        """The name, or the texts of add and multiply."""
        if self._name is not None:
            return self._name
        assert self._add is not None and self._multiply is not None
        return f"({self._add.operator.text}, {self._multiply.text})"

    def _parts(self) -> tuple[Any, ...]:
        return self._name, self._add, self._multiply

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Semiring) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> Any:
        return Semiring, self._parts()


SemiringLike = Union[Semiring, str]


def as_semiring(given: SemiringLike) -> Semiring:
    """The semiring that the user gave, itself or its name."""
    if isinstance(given, Semiring):
        return given
    if isinstance(given, str):
        return semiring(given)
    raise TypeError(
        f"a semiring is tropic.semiring.NAME, its name, or made by tropic.semiring(add=..., "
        f"multiply=...); found a {type(given).__name__}"
    )


Named = TypeVar("Named")


class _Names(Generic[Named]):
    """Values by name, as attributes."""

    def __init__(self, kind: str, names: list[str], make: Callable[[str], Named]) -> None:
        self._kind = kind
        self._values = {name: make(name) for name in names}

    def __getattr__(self, name: str) -> Named:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(
                f"no {self._kind} is called {name!r}; there are {', '.join(self._values)}"
            ) from None

    def __dir__(self) -> list[str]:
        return list(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __repr__(self) -> str:
        return f"<the {self._kind}s {', '.join(self._values)}>"


class _Operators(_Names[Operator]):
    """The operators: by name as attributes, or from text or a function by calling it."""

    def __call__(self, given: OperatorLike) -> Operator:
        """An operator by name, as text, or from a function that is called once with symbols."""
        return as_operator(given)


class _Monoids(_Names[Monoid]):
    """The monoids: by name as attributes, or from an operator by calling it."""

    def __call__(self, operator: MonoidLike, identity: object = None) -> Monoid:
        """A monoid from an operator and its identity, which is known for those of the library."""
        return as_monoid(operator, identity)


class _Semirings(_Names[Semiring]):
    """The semirings: by name as attributes, or from an add and a multiply by calling it."""

    def __call__(self, name: Optional[str] = None, *, add: Optional[MonoidLike] = None,
                 multiply: Optional[OperatorLike] = None, identity: object = None) -> Semiring:
        """A semiring by name, or from its add, the identity of that, and its multiply.

        Both are a name, text or a function: ``tropic.semiring(add=np.minimum, multiply=lambda x, y:
        x + 2 * y)``. A function is called once, with symbols; ExpressionError names what is not in
        the operator language.
        """
        if name is not None:
            if add is not None or multiply is not None or identity is not None:
                raise UsageError("a semiring has a name, or add and multiply; both are given")
            found = self._values.get(name)
            return self._unknown(name) if found is None else found
        if add is None or multiply is None:
            raise UsageError("a semiring needs add and multiply, or its name")
        return Semiring(None, as_monoid(add, identity), as_operator(multiply))

    def _unknown(self, name: str) -> Semiring:
        raise UsageError(f"no semiring is called {name!r}; there are {', '.join(self._values)}")


operator: _Operators = _Operators("operator", _core.operator_names(), Operator)
monoid: _Monoids = _Monoids(
    "monoid", _core.monoid_names(), lambda name: Monoid(name, operator(name), _IDENTITIES[name])
)
semiring: _Semirings = _Semirings("semiring", _core.semiring_names(), Semiring)
