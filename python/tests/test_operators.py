# SPDX-License-Identifier: Apache-2.0
"""Operators, monoids and semirings: names, texts, functions."""

import pickle

import numpy as np
import pytest

import tropic
from conftest import product_by_definition, random_matrix, random_vector

d = 0.85
FUNCTIONS = [
    (lambda x, y: x + 2 * y, "x + 2 * y"),
    (lambda x, y: 2 * x - (x - y), "2 * x - (x - y)"),
    (lambda x, y: (x - y) - 1, "x - y - 1"),
    (lambda a, b: d * a * b, "0.85 * x * y"),
    (lambda x, y, w=3: w * x, "3 * x"),
    (lambda x, y: -x * (-y), "-x * -y"),
    (lambda x, y: 3 - x / (y + 1), "3 - x / (y + 1)"),
    (lambda x, y: abs(x - y) ** 2, "t_pow(t_abs(x - y), 2)"),
    (lambda x, y: np.minimum(x, y) + np.maximum(x, 1), "t_min(x, y) + t_max(x, 1)"),
    (lambda x, y: np.where(x < y, x, y), "x < y ? x : y"),
    (lambda x, y: np.where(x < y, x, y) + 1, "(x < y ? x : y) + 1"),
    (lambda x, y: np.logical_and(x > 1, y > 1), "x > 1 && y > 1"),
    (lambda x, y: np.logical_not(np.logical_or(x > 1, y > 1)), "!(x > 1 || y > 1)"),
    (lambda x: np.sqrt(np.exp(x)) + np.floor(x), "t_sqrt(t_exp(x)) + t_floor(x)"),
    (lambda x, i, j: x * (i + j), "x * (i + j)"),
    (lambda x, y: np.float64(2) * x + np.int8(1), "2.0 * x + 1"),
    (lambda x, y: x + float("inf"), "x + t_inf"),
    (lambda x, y: x * -1.5, "x * -1.5"),
    (lambda x, y: 5, "5"),
]


@pytest.mark.parametrize(("function", "text"), FUNCTIONS, ids=[text for _, text in FUNCTIONS])
def test_a_function_becomes_text(function, text):
    assert tropic.operator(function).text == text


@pytest.mark.parametrize(("function", "text"), FUNCTIONS, ids=[text for _, text in FUNCTIONS])
def test_the_text_computes_what_the_function_does(rng, function, text):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    u = random_vector(rng, count=9)
    v = random_vector(rng, count=9)
    if "j" in names:
        expected = {i: function(x, i, 0) for i, x in u.items()}
        assert dict(u.apply(function).items()) == pytest.approx(expected)
    elif len(names) == 1:
        assert dict(u.apply(function).items()) == pytest.approx({i: function(x) for i, x in u.items()})
    elif text != "5":
        both = [(i, u[i], v[i]) for i in u if i in v]
        found = u.ewise_multiply(v, function)
        assert dict(found.items()) == pytest.approx({i: float(function(x, y)) for i, x, y in both})


REFUSED = [
    (lambda x, y: min(x, y), "the truth of 'y < x'.*np.minimum"),
    (lambda x, y: x if x > y else y, "the truth of 'x > y'.*np.where"),
    (lambda x, y: x and y, "the truth of 'x'"),
    (lambda x, y: x // y, "'x // y'.*not in the operator language"),
    (lambda x, y: np.sin(x), r"np.sin\(x\): is not in the operator language"),
    (lambda x, y: np.add.reduce(x), r"np.add\(x\): only plain calls"),
    (lambda x, y: np.clip(x, 0, 1), "clip"),
    (lambda x, y: int(x), "'x' as a number"),
    (lambda x, y: [1, 2][x], "'x' as a number"),
    (lambda x, y: x[0], r"'x\[0\]'"),
    (lambda x, y: x.real, "'x.real'"),
    (lambda x, y: sum(x), "iterating over 'x'"),
    (lambda x, y: x @ y, "'x @ y'"),
    (lambda x, y: x + "a", "'a' is a str"),
    (lambda x, y: None, "None is a NoneType"),
    (lambda x, y: x * float("nan"), "nan"),
    (lambda x, y, z: x, "the parameter 'z' is a third operand"),
    (lambda *x: x, r"the parameter '\*x'"),
    (lambda x, y: x << 2.5 if False else x(y), "calling 'x'"),
]


@pytest.mark.parametrize(("function", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_cannot_be_said_names_the_expression(function, message):
    with pytest.raises(tropic.ExpressionError, match=message):
        tropic.operator(function)


def test_functions_of_numpy_are_taken_as_they_are():
    assert tropic.operator(np.maximum).text == "t_max(x, y)" and tropic.operator(np.sqrt).text == "t_sqrt(x)"
    assert tropic.monoid(np.add) == tropic.monoid.plus
    with pytest.raises(tropic.ExpressionError, match=r"np.hypot\(x, y\)"):
        tropic.operator(np.hypot)


def test_a_function_is_called_once():
    calls = []

    def counted(x, y):
        calls.append(1)
        return x + y

    u = tropic.Vector.full(4, 1.0)
    operator = tropic.operator(counted)
    for _ in range(3):
        u.ewise_multiply(u, operator)
    assert len(calls) == 1


@pytest.mark.parametrize("name", list(tropic.semiring))
def test_every_semiring_has_its_name(rng, name):
    semiring = getattr(tropic.semiring, name)
    assert name in repr(semiring) and tropic.semiring(name) == semiring
    assert pickle.loads(pickle.dumps(semiring)) == semiring
    a, u = random_matrix(rng, dtype="int32"), random_vector(rng, dtype="int32")
    result = a.mxv(u, semiring)
    positional = name.endswith(("firstj", "secondi"))
    assert result.dtype == (np.int64 if positional else np.int32)


def test_a_semiring_from_functions_follows_the_definition(rng):
    a, u = random_matrix(rng), random_vector(rng)
    custom = tropic.semiring(add=np.minimum,
                             multiply=lambda x, y: np.where(x < y, x + 2 * y, x * y))
    expected = product_by_definition(dict(a.items()), dict(u.items()), min,
                                     lambda x, y: x + 2 * y if x < y else x * y)
    assert dict(a.mxv(u, custom).items()) == expected
    assert custom == tropic.semiring(add="minimum", multiply="x < y ? x + 2 * y : x * y")
    assert hash(custom) == hash(pickle.loads(pickle.dumps(custom)))
    text = tropic.semiring(add="x + y - 1", identity=1, multiply="x * y")
    expected = product_by_definition(dict(a.items()), dict(u.items()), lambda x, y: x + y - 1,
                                     lambda x, y: x * y)
    assert dict(a.mxv(u, text).items()) == expected
    assert "identity 1" in repr(text)


def test_compiled_kernels_of_a_semiring_give_the_same(rng, monkeypatch, tmp_path):
    monkeypatch.setenv("TROPIC_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TROPIC_CACHE", "on")
    plain, compiled = tropic.Context("cpu"), tropic.Context("cpu", text_compiler="auto")
    custom = tropic.semiring(add="minimum", multiply=lambda x, y: abs(x - 2 * y))
    results = []
    for where in (plain, compiled):
        r = np.random.default_rng(1)
        results.append(random_matrix(r, context=where).mxv(random_vector(r, context=where), custom))
    assert list(results[0].items()) == list(results[1].items())


def test_incomplete_semirings_are_refused():
    for arguments, message in [
        ({"add": "x + y - 1", "multiply": "x"}, "needs its identity"),
        ({"add": "plus"}, "needs add and multiply"),
        ({"name": "min_plus", "add": "plus"}, "both are given"),
        ({"name": "nosuch"}, "no semiring is called 'nosuch'"),
        ({"add": "x + i", "multiply": "x"}, "uses a position"),
        ({"add": tropic.monoid.plus, "identity": 3, "multiply": "x"}, "has its identity"),
    ]:
        with pytest.raises(tropic.UsageError, match=message):
            tropic.semiring(**arguments)
    with pytest.raises(TypeError, match="a semiring is"):
        tropic.Matrix(2, 2).mxv(tropic.Vector(2), 3)
    with pytest.raises(TypeError, match="an operator is"):
        tropic.operator(3)
    with pytest.raises(tropic.ExpressionError, match="neither text nor one of plus"):
        tropic.operator("pluss")
    with pytest.raises(tropic.ExpressionError, match="x +"):
        tropic.operator("x +")
    with pytest.raises(AttributeError, match="no monoid is called"):
        tropic.monoid.nosuch
    with pytest.raises(tropic.UsageError, match="built in for"):
        tropic.Matrix(2, 2, bool).mxv(tropic.Vector(2, bool), "plus_times")
    with pytest.raises(tropic.UsageError, match="a monoid has one"):
        tropic.operator(tropic.monoid.plus)


def test_a_text_is_checked_over_its_type():
    a, u = tropic.Matrix(2, 2, "float64"), tropic.Vector(2, "float64")
    with pytest.raises(tropic.ExpressionError):
        a.mxv(u, tropic.semiring(add="x | y", identity=0, multiply="x"))
    a, u = a.astype("int8"), u.astype("int8")
    with pytest.raises(tropic.ExpressionError, match="does not fit int8"):
        a.mxv(u, tropic.semiring(add="x + y - 1", identity=1000, multiply="x"))
