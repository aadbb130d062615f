# SPDX-License-Identifier: Apache-2.0
"""Matrices and vectors as objects of Python."""

import copy
import pickle

import numpy as np
import pytest

import tropic
from conftest import DTYPES, random_matrix, random_vector


def test_a_vector_is_a_dictionary_of_its_entries():
    v = tropic.Vector.from_entries([4, 1], [2.5, 7.0], 6)
    assert (v.size, v.nvals, len(v), v.dtype) == (6, 2, 2, np.float64)
    assert list(v) == [1, 4] and list(v.items()) == [(1, 7.0), (4, 2.5)]
    assert 1 in v and 0 not in v and 6 not in v and -2 in v
    assert v[1] == 7.0 and v[0] is None and v.get(0, 9.0) == 9.0 and v[-2] == 2.5
    v[0] = 3
    del v[1]
    assert list(v.items()) == [(0, 3.0), (4, 2.5)]
    v.resize(3)
    assert list(v.items()) == [(0, 3.0)] and v.size == 3
    v.clear()
    assert len(v) == 0 and v.size == 3


def test_a_matrix_is_a_dictionary_of_its_entries():
    a = tropic.Matrix.from_entries([0, 2, 0], [1, 2, 0], [5, 6, 7], (3, 4))
    assert (a.shape, a.nvals, len(a), a.dtype) == ((3, 4), 3, 3, np.int64)
    assert list(a) == [(0, 0), (0, 1), (2, 2)]
    assert dict(a.items()) == {(0, 0): 7, (0, 1): 5, (2, 2): 6}
    assert (0, 1) in a and (1, 1) not in a and (3, 0) not in a
    assert a[0, 1] == 5 and a[1, 1] is None and a.get(1, 1, 0) == 0
    a[1, 1] = 8
    del a[0, 0]
    assert dict(a.items()) == {(0, 1): 5, (1, 1): 8, (2, 2): 6}
    a.resize(2, 2)
    assert dict(a.items()) == {(0, 1): 5, (1, 1): 8}
    a.clear()
    assert len(a) == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_comes_back(rng, dtype):
    values = np.array([0, 1, 1], dtype=dtype)
    v = tropic.Vector.from_array(values)
    assert v.dtype == np.dtype(dtype)
    assert np.array_equal(v.to_numpy(), values) and v.to_numpy().dtype == values.dtype
    assert [v[n] for n in range(3)] == values.tolist()
    a = random_matrix(rng, dtype=dtype)
    assert a.dtype == np.dtype(dtype)
    restored = pickle.loads(pickle.dumps(a))
    assert restored == a and restored is not a
    assert pickle.loads(pickle.dumps(v)) == v


def test_equality_compares_size_type_positions_and_values():
    v = tropic.Vector.from_entries([1], [2.0], 4)
    assert v == tropic.Vector.from_entries([1], [2.0], 4)
    assert v != tropic.Vector.from_entries([1], [2.0], 5)
    assert v != tropic.Vector.from_entries([1], [2.0], 4, dtype="float32")
    assert v != tropic.Vector.from_entries([2], [2.0], 4)
    assert v != tropic.Vector.from_entries([1], [3.0], 4)
    assert v != [0, 2.0, 0, 0]
    nan = tropic.Vector.full(2, np.nan)
    assert nan == tropic.Vector.full(2, np.nan)
    a = tropic.Matrix.from_entries([0, 1], [1, 0], 2.0, (2, 2))
    assert a.is_iso and a == tropic.Matrix.from_entries([0, 1], [1, 0], [2.0, 2.0], (2, 2))
    assert a != tropic.Matrix.from_entries([0, 1], [1, 1], 2.0, (2, 2))
    with pytest.raises(TypeError, match="compared with a int"):
        v.isequal(3)


def test_containers_have_no_hash(rng):
    for one in (random_vector(rng), random_matrix(rng)):
        with pytest.raises(TypeError):
            hash(one)


def test_pickles_keep_the_single_value_and_symmetry():
    a = tropic.grid(4)
    assert a.is_iso and a.is_symmetric
    restored = pickle.loads(pickle.dumps(a))
    assert restored.is_iso and restored.is_symmetric and restored == a


def test_pickles_of_a_single_value_without_entries():
    a = tropic.Matrix.from_entries([0], [1], 2.5, (3, 4))
    a.clear()
    for empty in (a, tropic.Matrix.from_entries([], [], 2.5, (3, 4)), tropic.grid(4).select("x > 1")):
        assert empty.nvals == 0
        for restored in (pickle.loads(pickle.dumps(empty)), copy.deepcopy(empty)):
            assert restored == empty


def test_arrays_of_matrices_are_dense():
    dense = np.array([[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]])
    a = tropic.Matrix.from_dense(dense)
    assert np.array_equal(np.asarray(a), dense)
    assert np.asarray(a, dtype="int64").tolist() == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(tropic.UsageError, match="a copy"):
        a.__array__(copy=False)
    with pytest.raises(TypeError, match="to_dense"):
        np.asarray(a.T)
    del a[0, 1]
    with pytest.raises(tropic.UsageError, match="1 positions have no entry"):
        np.asarray(a)


def test_copies_do_not_follow_changes(rng):
    a, v = random_matrix(rng), random_vector(rng)
    b, w = a.copy(), v.copy()
    i, j = next(iter(a))
    a[i, j] = 99
    v[next(iter(v))] = 99
    assert b != a and w != v and b[i, j] != 99


def test_repr_shows_a_small_table():
    a = tropic.Matrix.from_entries([0, 1], [1, 0], [1.5, 20.0], (2, 2))
    assert repr(a).splitlines() == [
        "tropic.Matrix of 2 x 2, 2 entries, float64, on cpu",
        "        0    1",
        "  0        1.5",
        "  1  20.0",
    ]
    assert "the transpose of tropic.Matrix of 2 x 2" in repr(a.T)
    v = tropic.Vector.from_entries(range(20), np.arange(20), 1000)
    lines = repr(v).splitlines()
    assert lines[0] == "tropic.Vector of 1,000 positions, 20 entries, int64, on cpu"
    assert lines[1].split() == ["0", "0"] and lines[-1].strip() == "..." and len(lines) == 8
    large = repr(tropic.grid(100)).splitlines()
    assert "10,000 x 10,000" in large[0] and large[1].split() == ["(0,", "1)", "True"]
    assert len(large) == 8
    assert "structure of tropic.Vector" in repr(~v.structure)


def test_types_are_converted_by_the_language():
    v = tropic.Vector.from_array([1.9, -1.9, 300.0])
    assert v.astype("int8").to_numpy().tolist() == [1, -1, 127]
    assert v.astype("fp32").dtype == np.float32
    a = tropic.grid(2).astype("int64")
    assert a.is_symmetric and set(dict(a.items()).values()) == {1}


def test_duplicates_are_combined_as_asked():
    rules = {"sum": 6, "min": 1, "max": 3, "first": 2, "last": 3}
    for rule, expected in rules.items():
        v = tropic.Vector.from_entries([1, 1, 1], [2, 1, 3], duplicates=rule)
        a = tropic.Matrix.from_entries([0, 0, 0], [1, 1, 1], [2, 1, 3], duplicates=rule)
        assert v[1] == expected and a[0, 1] == expected, rule
    with pytest.raises(tropic.UsageError, match="1"):
        tropic.Vector.from_entries([1, 1], [2, 3])
    with pytest.raises(tropic.UsageError, match="duplicates is 'add'"):
        tropic.Vector.from_entries([1], [2], duplicates="add")


def test_positions_past_the_end_are_index_errors(rng):
    v, a = random_vector(rng), random_matrix(rng)
    for bad in (lambda: v[11], lambda: v[-12], lambda: a[13, 0], lambda: a[0, 11]):
        with pytest.raises(IndexError):
            bad()
    with pytest.raises(IndexError):
        v[11] = 1
    with pytest.raises(TypeError):
        a[0, 0, 0]


def test_values_that_do_not_fit_are_refused():
    v = tropic.Vector(3, "int8")
    with pytest.raises(OverflowError, match="300 does not fit int8"):
        v[0] = 300
    with pytest.raises(TypeError):
        v[0] = 1.5
    with pytest.raises(OverflowError):
        tropic.Vector(3, "uint64")[0] = -1
    assert len(v) == 0
    single = tropic.Vector(3, "float32")
    with pytest.raises(OverflowError, match="does not fit"):
        single[0] = 1e300
    single[0], single[1] = np.inf, np.float64(3.5)
    assert len(single) == 2 and np.isinf(single[0])


def test_values_of_arrays_that_do_not_fit_are_refused():
    v, a = tropic.Vector.full(2, 7, "int8"), tropic.Matrix.from_dense(np.full((2, 2), 7, "int8"))
    kept_v, kept_a = v.copy(), a.copy()
    for value, dtype in [
        ([1, 300], "int8"), (np.array([1, 128], "int16"), "int8"), ([0, -1], "uint8"), ([0, -1], "uint64"),
        (np.array([1, 2**63], "uint64"), "int64"), ([1.0, 1e10], "int32"), ([1.0, 2.0**63], "int64"),
        ([1.0, 2.0**64], "uint64"), ([1.0, np.nan], "int64"), ([1.0, -np.inf], "int16"), ([1, 2**70], "int32"),
        ([1.0, 1e300], "float32"), (np.array([1, 2**200], object), "float32"),
    ]:
        with pytest.raises(OverflowError, match="does not fit"):
            tropic.Vector.from_entries([0, 1], value, 2, dtype=dtype)
        with pytest.raises(OverflowError, match="does not fit"):
            tropic.Matrix.from_entries([0, 1], [0, 1], value, (2, 2), dtype=dtype)
        with pytest.raises(OverflowError, match="does not fit"):
            tropic.Matrix.from_entries([0, 1], [0, 1], value[1], (2, 2), dtype=dtype)
        with pytest.raises(OverflowError, match="does not fit"):
            tropic.Vector(2, dtype).assign(value)
    for bad in (lambda: v.assign([1, 300]), lambda: v.assign(np.array([1, 300])),
                lambda: v.assign(300), lambda: a.assign(300),
                lambda: tropic.Matrix(2, 2, "int8").to_dense(300)):
        with pytest.raises(OverflowError, match="300 does not fit int8"):
            bad()
    assert v == kept_v and a == kept_a


def test_lists_of_large_integers_keep_every_digit():
    large = [0, 2**53 + 1, 2**63 + 1, 2**64 - 1]
    assert tropic.Vector.from_entries(range(4), large, dtype="uint64").to_numpy().tolist() == large
    v, a = tropic.Vector(4, "uint64"), tropic.Matrix(1, 4, "uint64")
    v.assign(large)
    a[0, :] = large
    assert v.to_numpy().tolist() == large and a[0] == v
    a.assign([large[::-1]])
    assert a[0].to_numpy().tolist() == large[::-1]
    with pytest.raises(OverflowError, match="does not fit"):
        v.assign([0, 1, 2, 2**64])


def test_a_bound_value_beyond_the_type_has_one_of_its_own():
    single, small = tropic.Vector.full(3, 1, "float32"), tropic.Vector.full(3, 1, "int8")
    assert len(single.select("less", 1e300)) == 3 and len(small.select("less", 300)) == 3


def test_a_gap_is_one_number():
    with pytest.raises(TypeError, match="1 dimensions"):
        tropic.Matrix(2, 2).to_dense([1, 2])


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_of_every_type_that_fit_are_converted(dtype):
    for given in [*(np.array([0, 1, 1], one) for one in DTYPES), [0, 1, 1], [False, True, True],
                  np.array([0, 1, 1], object), np.array([0.0, 1.0, 1.0], ">f4"), np.array([0, 1, 1], np.float16)]:
        v = tropic.Vector.from_entries([0, 1, 2], given, dtype=dtype)
        assert v.dtype == np.dtype(dtype) and v.to_numpy().tolist() == [0, 1, 1]
        w = tropic.Vector(3, dtype)
        w.assign(given)
        assert w == v
        a = tropic.Matrix.from_entries([0, 0, 0], [0, 1, 2], given, dtype=dtype)
        assert a.dtype == v.dtype and a[0] == v
    if dtype not in ("bool", "float32", "float64"):
        limits = np.iinfo(dtype)
        for value in (limits.min, limits.max):
            assert tropic.Vector.from_entries([0], [value], dtype=dtype)[0] == value
        assert tropic.Vector.from_entries([0, 1], [1.75, -0.5], dtype=dtype).to_numpy().tolist() == [1, 0]
    for value in (1j, "1", np.datetime64("2026-01-01")):
        with pytest.raises(tropic.UsageError, match="dtype"):
            tropic.Vector.from_entries([0], [value], dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_of_numpy_are_numbers(dtype):
    v, a = tropic.Vector(4, dtype), tropic.Matrix(2, 2, dtype)
    for one in (True, np.True_, 1, np.int8(1), np.uint64(1)):
        v.clear()
        v[np.int64(0)] = one
        v.assign(one, [1])
        v[2:] = one
        a[np.uint8(1), 0] = one
        assert v.to_numpy().tolist() == [1] * 4 and a[1, 0] == 1
        assert tropic.Vector.full(np.int32(2), one, dtype).to_numpy().tolist() == [1, 1]
        assert tropic.Vector(2, dtype).to_numpy(one).tolist() == [1, 1]
        assert v.select("equal", one) == v and len(v.select("not_equal", one)) == 0
    assert v.get(np.int16(0)) == 1 and np.uint8(3) in v


def test_bools_of_numpy_are_options(graph):
    _, a = graph
    u = tropic.Vector.full(60, 1)
    values = np.arange(60)
    for yes, no in ((True, False), (np.True_, np.False_)):
        w = tropic.Vector.from_entries([0, 1], [5, 6], 60)
        a.mxv(u, out=w, mask=u.select("i > 0"), replace=yes, expected_calls=np.int64(2))
        assert 0 not in w
        assert not np.shares_memory(tropic.Vector.from_array(values, copy=yes).to_numpy(), values)
        assert np.shares_memory(tropic.Vector.from_array(values, copy=no).to_numpy(), values)
        assert len(tropic.shortest_paths(a, np.int64(0), parents=no).parent) == 0
        assert tropic.pagerank(a, weighted=yes, progress=no) == tropic.pagerank(a, weighted=True)
        assert tropic.betweenness(a, directed=no, normalized=no) == tropic.betweenness(
            a, directed=False, normalized=False)
    assert tropic.monoid("x + y + 1", np.int64(-1)) == tropic.monoid("x + y + 1", -1)
    for wrong in (1, "yes", None):
        with pytest.raises(TypeError):
            a.mxv(u, out=w, replace=wrong)


def test_contexts_are_named_and_compared():
    one, other = tropic.Context("cpu", threads=1), tropic.Context("reference")
    assert (one.name, one.threads, one.is_host, other.name) == ("cpu", 1, True, "reference")
    v = tropic.Vector(3, context=one)
    assert v.context == one and v.context != other
    w = v.to(other)
    assert w.context == other
    with pytest.raises(tropic.UsageError, match="two contexts, on reference and on cpu"):
        w.ewise_add(v)
    assert tropic.Vector(3).context == tropic.default_context()
    names = [device.name for device in tropic.devices()]
    assert names[:2] == ["reference", "cpu"]
    assert one.memory_limit == 0 and one.memory_used == 0


def test_the_default_context_can_be_set():
    before = tropic.default_context()
    try:
        tropic.set_default_context(tropic.Context("reference"))
        assert tropic.Vector(1).context.name == "reference"
        with pytest.raises(TypeError, match="found str"):
            tropic.set_default_context("cpu")
    finally:
        tropic.set_default_context(before)


def test_a_profile_counts_operations(rng):
    where = tropic.Context("cpu", profile=True)
    a, u = random_matrix(rng, context=where), random_vector(rng, context=where)
    for _ in range(3):
        a @ u
    assert {one.operation: one.calls for one in where.profile()}["mxv"] == 3
