# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: no copies, and nothing freed too early."""

import gc
import itertools
import os
import sys
import weakref

import numpy as np
import pytest
from scipy import sparse

import tropic
from conftest import Tensor, random_entries


def address(array):
    return array.__array_interface__["data"][0]


class Owned(np.ndarray):
    """An array that can be watched by a weak reference."""


def watched(values, dtype=None):
    given = np.asarray(values, dtype=dtype)
    result = Owned(given.shape, dtype=given.dtype)  # owns its memory, so that views refer to it
    result[...] = given
    return result


def test_csr_is_used_in_place(rng):
    s = sparse.random_array((50, 40), density=0.1, format="csr", rng=rng)
    a = tropic.Matrix.from_scipy(s)
    indptr, indices, values = a.to_csr()
    assert address(indptr) == address(s.indptr)
    assert address(indices) == address(s.indices)
    assert address(values) == address(s.data)
    back = a.to_scipy()
    assert address(back.data) == address(s.data) and (back != s).nnz == 0
    copied = tropic.Matrix.from_scipy(s, copy=True)
    assert address(copied.to_csr()[2]) != address(s.data) and copied == a


def test_vectors_are_used_in_place_and_results_are_views():
    values = np.arange(6.0)
    v = tropic.Vector.from_array(values)
    assert address(v.to_numpy()) == address(values) and address(np.asarray(v)) == address(values)
    at = np.array([1, 4], dtype=np.int32)
    w = tropic.Vector.from_sparse(at, values[:2], 9)
    indices, entries = w.to_entries()
    assert address(indices) == address(at) and address(entries) == address(values)
    result = v.ewise_add(v)
    assert address(result.to_numpy()) == address(result.to_numpy())
    assert not result.to_numpy().flags.writeable


def test_writing_a_container_leaves_borrowed_arrays_alone():
    values = np.arange(4.0)
    v = tropic.Vector.from_array(values)
    view = v.to_numpy()
    v[1] = 100
    v.assign(7, [2])
    assert values.tolist() == [0, 1, 2, 3] and view.tolist() == [0, 1, 2, 3]
    assert v.to_numpy().tolist() == [0, 100, 7, 3]
    s = sparse.csr_array(np.eye(3))
    a = tropic.Matrix.from_scipy(s)
    a[0, 0] = 5
    assert s[0, 0] == 1


def drop_in_every_order(make):
    """make() gives (watched objects, things that use them): whatever is dropped last, they live."""
    count = len(make()[1])
    for order in itertools.permutations(range(count)):
        owners, users = make()
        refs = [weakref.ref(one) for one in owners]
        expected = [np.array(one) for one in owners]
        del owners
        for position, n in enumerate(order):
            assert all(ref() is not None for ref in refs)
            for ref, values in zip(refs, expected):
                assert np.array_equal(ref(), values)
            users[n] = None
            if position + 1 == count:
                assert all(ref() is None for ref in refs)


def test_owners_live_as_long_as_any_vector_copy_or_view():
    def make():
        values = watched(np.arange(5.0))
        v = tropic.Vector.from_array(values)
        return [values], [v, v.copy(), v.to_numpy(), np.asarray(v)]

    drop_in_every_order(make)


def test_owners_live_as_long_as_any_matrix_copy_or_view():
    def make():
        arrays = [watched([0, 1, 3], np.int32), watched([1, 0, 2], np.int32), watched([5.0, 6, 7])]
        a = tropic.Matrix.from_csr(*arrays, (2, 3))
        indptr, indices, values = a.to_csr()
        return arrays, [a, a.copy(), [indptr, indices, values]]

    drop_in_every_order(make)


def test_owners_are_dropped_when_an_import_fails():
    values = watched(np.arange(3.0))
    refs = [weakref.ref(values)]
    with pytest.raises(tropic.UsageError):
        tropic.Matrix.from_csr([0, 1, 3], [0, 9, 1], values, (2, 3))
    del values
    gc.collect()
    assert refs[0]() is None


def test_owners_live_as_long_as_results_of_dlpack_and_slices():
    def make():
        values = watched(np.arange(6.0))
        v = tropic.Vector.from_array(values)
        return [values], [v, np.from_dlpack(v), v.to_numpy()[2:4], v.__dlpack__()]

    def make_matrix():
        arrays = [watched([0, 1, 3], np.int32), watched([1, 0, 2], np.int32), watched([5.0, 6, 7])]
        a = tropic.Matrix.from_csr(*arrays, (2, 3))
        parts = a.to_dlpack()
        return arrays, [a, parts, [np.from_dlpack(part) for part in parts],
                        [part.__dlpack__() for part in parts]]

    drop_in_every_order(make)
    drop_in_every_order(make_matrix)


def test_owners_live_as_long_as_sparse_vectors_pairs_and_scipy_arrays():
    def make_vector():
        arrays = [watched([1, 4], np.int32), watched([5.0, 6])]
        v = tropic.Vector.from_sparse(*arrays, 9)
        return arrays, [v, v.copy(), v.to_entries()]

    def make_matrix():
        arrays = [watched([0, 1, 3], np.int32), watched([1, 0, 2], np.int32), watched([5.0, 6, 7])]
        a = tropic.Matrix.from_csr(*arrays, (2, 3))
        return arrays, [a.T, a.to_scipy(), a.structure, a.to_csr()]

    drop_in_every_order(make_vector)
    drop_in_every_order(make_matrix)


def test_owners_are_dropped_when_the_container_is_written():
    values = watched(np.arange(4.0))
    ref = weakref.ref(values)
    v = tropic.Vector.from_array(values)
    del values
    v[1] = 5
    v.assign(3)
    gc.collect()
    assert ref() is None and v.to_numpy().tolist() == [3, 3, 3, 3]


def test_tensors_of_torch_live_as_long_as_what_uses_them():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    for order in itertools.permutations(range(4)):
        tensor = torch.arange(1000.0)
        v = tropic.Vector.from_array(tensor)
        users = [tensor, v, v.to_numpy(), torch.from_dlpack(v)]
        del tensor, v
        for n in order:
            for one in users:
                if one is not None:
                    assert float(one[999]) == 999.0
            users[n] = None


def steady_calls():
    """What is called again and again, by name, with all that the calls use."""
    values, at = np.arange(8.0), np.arange(8, dtype=np.int32)
    offsets = np.arange(9, dtype=np.int32)
    v = tropic.Vector.from_array(values)
    a = tropic.Matrix.from_csr(offsets, at, values, (8, 8))
    out = tropic.Vector(8)
    mask = v.structure
    semiring = tropic.semiring.min_plus
    used = [values, at, offsets, v, a, out, mask, semiring, v.context, v._core, a._core, v._core.context,
            tropic.Vector, tropic.Matrix, tropic._core.Vector, tropic._core.Matrix]

    def fails():
        try:
            v.ewise_add(out.extract([0]))
        except tropic.UsageError:
            pass

    calls = [
        lambda: tropic.Vector.from_array(values).to_numpy(),
        lambda: tropic.Vector.from_sparse(at, values, 8).to_entries(),
        lambda: tropic.Matrix.from_csr(offsets, at, values, (8, 8)).to_csr(),
        lambda: a.mxv(v, semiring, out=out, mask=mask, accumulate="plus"),
        lambda: v.ewise_add(v), lambda: np.from_dlpack(v), lambda: a @ v, lambda: v[3], fails,
    ]
    return used, calls


def test_reference_counts_are_steady():
    # A million calls in a full run (TROPIC_EVERY=1).
    count = 1_000_000 if os.environ.get("TROPIC_EVERY") == "1" else 100_000
    used, calls = steady_calls()
    for call in calls:
        for _ in range(100):
            call()
    gc.collect()
    before = [sys.getrefcount(one) for one in used]
    blocks = sys.getallocatedblocks()
    for _ in range(count // len(calls) + 1):
        for call in calls:
            call()
    gc.collect()
    assert [sys.getrefcount(one) for one in used] == before
    assert abs(sys.getallocatedblocks() - blocks) < 200  # far fewer than there were calls


def test_every_format_of_scipy(rng):
    for shape in ((7, 9), (0, 4), (3, 0)):
        s = sparse.random_array(shape, density=0.3, format="coo", rng=rng)
        for name in ("csr", "csc", "coo", "lil", "dok", "bsr"):
            if name == "bsr" and 0 in shape:
                continue
            a = tropic.Matrix.from_scipy(s.asformat(name))
            assert a.shape == shape and np.array_equal(a.to_dense(0), s.toarray())
            for out in ("csr", "csc", "coo"):
                back = a.to_scipy(out)
                assert back.format == out and np.array_equal(back.toarray(), s.toarray())
    old = sparse.csr_matrix(np.eye(3))
    assert np.array_equal(tropic.Matrix.from_scipy(old).to_dense(0), np.eye(3))
    with pytest.raises(tropic.UsageError, match="needed 'csr'"):
        a.to_scipy("lil")
    with pytest.raises(TypeError, match="found a ndarray"):
        tropic.Matrix.from_scipy(np.eye(3))


def test_unsorted_and_repeated_entries_of_scipy_are_summed_on_a_copy():
    s = sparse.csr_array((np.array([1.0, 2, 4]), np.array([2, 0, 2]), np.array([0, 3])), shape=(1, 3))
    a = tropic.Matrix.from_scipy(s)
    assert a.to_dense(0).tolist() == [[2, 0, 5]]
    assert s.indices.tolist() == [2, 0, 2]


def test_csc_without_a_copy_is_the_transpose(rng):
    s = sparse.random_array((6, 8), density=0.3, format="csc", rng=rng)
    a = tropic.Matrix.from_csr(s.indptr, s.indices, s.data, s.shape[::-1])
    assert address(a.to_csr()[2]) == address(s.data)
    u = np.arange(8.0)
    assert np.allclose((a.T @ u).to_numpy(0), s @ u)


@pytest.mark.parametrize("index", ["int32", "uint32", "int64", "uint64"])
def test_every_index_type(rng, index):
    i, j, values = random_entries(rng, 9, 8, 20, "float32")
    expected = sparse.coo_array((values, (i, j)), shape=(9, 8)).tocsr()
    a = tropic.Matrix.from_csr(expected.indptr.astype(index), expected.indices.astype(index),
                               expected.data, (9, 8))
    assert np.array_equal(a.to_dense(0), expected.toarray())
    b = tropic.Matrix.from_entries(i.astype(index), j.astype(index), values, (9, 8))
    assert a == b
    v = tropic.Vector.from_sparse(np.array([1, 5], dtype=index), [1.0, 2.0], 6)
    assert v == tropic.Vector.from_entries(np.array([5, 1], dtype=index), [2.0, 1.0], 6)


def test_one_value_for_all_entries():
    a = tropic.Matrix.from_csr([0, 2, 3], [0, 1, 1], 2.5, (2, 2))
    assert a.is_iso and a.to_dense(0).tolist() == [[2.5, 2.5], [0, 2.5]]
    assert tropic.Matrix.from_entries([0, 1], [1, 0]).dtype == bool


def test_dense_arrays_and_missing_values():
    table = np.array([[0, 1], [2, 0]])
    a = tropic.Matrix.from_dense(table)
    assert a.nvals == 2 and np.array_equal(a.to_dense(0), table)
    assert tropic.Matrix.from_dense(table, missing=None).nvals == 4
    nan = np.array([[np.nan, 0.0]])
    assert dict(tropic.Matrix.from_dense(nan, missing=np.nan).items()) == {(0, 1): 0.0}
    with pytest.raises(tropic.UsageError, match="2 positions have no entry"):
        a.to_dense()
    v = tropic.Vector.from_entries([1], [2], 3)
    assert v.to_numpy(-1).tolist() == [-1, 2, -1]
    with pytest.raises(tropic.UsageError, match="2 of 3 positions have no entry"):
        v.to_numpy()
    with pytest.raises(tropic.UsageError):
        np.asarray(v)


def test_arrays_that_do_not_fit_are_copied_or_refused():
    strided = np.arange(10.0)[::2]
    assert tropic.Vector.from_array(strided).to_numpy().tolist() == strided.tolist()
    swapped = np.arange(3, dtype=">i4")
    for bad, message in [
        (lambda: tropic.Vector.from_array(np.zeros((2, 2))), "2 dimensions"),
        (lambda: tropic.Vector.from_array(np.zeros(2, dtype=complex)), "complex128"),
        (lambda: tropic.Vector.from_array(swapped), "dtype >i4"),
        (lambda: tropic.Vector.from_array(np.array([2], dtype=np.uint8).view(bool)), "the byte 2"),
        (lambda: tropic.Vector.from_sparse([1.5], [1.0], 3), "needed integers"),
        (lambda: tropic.Vector.from_sparse([2, 1], [1.0, 2.0], 3), "1"),
        (lambda: tropic.Vector.from_sparse([5], [1.0], 3), "5"),
        (lambda: tropic.Matrix.from_csr([0, 1], [0, 1], [1.0, 2.0], (2, 2)), "need 3 offsets"),
        (lambda: tropic.Matrix.from_csr([0, 1, 2], [0, 7], [1.0, 2.0], (2, 2)), "7"),
        (lambda: tropic.Matrix.from_entries([0], [1, 2], [1.0]), "1 rows, 2 columns"),
        (lambda: tropic.Matrix.from_dense([1, 2]), "two dimensions"),
    ]:
        with pytest.raises(tropic.UsageError, match=message):
            bad()


def test_dlpack_both_ways_without_a_copy():
    v = tropic.Vector.full(5, 2.0).ewise_add(tropic.Vector.full(5, 1.0))
    assert v.__dlpack_device__() == (1, 0)
    seen = np.from_dlpack(v)
    assert address(seen) == address(v.to_numpy()) and seen.tolist() == [3.0] * 5

    values = np.arange(4.0)
    assert address(tropic.Vector.from_array(Tensor(values)).to_numpy()) == address(values)
    s = sparse.csr_array(np.eye(3))
    a = tropic.Matrix.from_csr(Tensor(s.indptr), Tensor(s.indices), Tensor(s.data), (3, 3))
    assert address(a.to_csr()[2]) == address(s.data)


def test_arrays_of_a_matrix_for_dlpack():
    for data in (np.array([1.0, 2.0, 3.0]), 5.0):
        for wide in ("int32", "int64"):
            a = tropic.Matrix.from_csr(np.array([0, 1, 3], dtype=wide), [1, 0, 2], data, (2, 3))
            parts = a.to_dlpack()
            assert [part.dtype for part in parts] == [np.int32, np.int32, np.float64]
            assert [part.shape for part in parts] == [(3,), (3,), (3,)]
            seen = [np.from_dlpack(part) for part in parts]
            for one, other in zip(seen, a.to_csr()):
                assert np.array_equal(one, other)
            assert not seen[0].flags.writeable
    empty = tropic.Matrix(0, 3).to_dlpack()
    assert [np.from_dlpack(part).tolist() for part in empty] == [[0], [], []]


def test_dlpack_on_devices_and_with_missing_entries():
    with pytest.raises(tropic.UsageError, match="2 of 3 positions have no entry"):
        np.from_dlpack(tropic.Vector.from_entries([1], [2.0], 3))
    v = tropic.Vector.full(3, 1.0)
    old, new = v.__dlpack__(), v.__dlpack__(max_version=(1, 0))
    assert "dltensor" in repr(old) and "dltensor_versioned" in repr(new)
    with pytest.raises(ValueError):
        np.from_dlpack(v)[0] = 5  # NumPy hears that it is read-only
    assert np.from_dlpack(tropic.Vector(0)).shape == (0,)
    if not any(device.name == "opencl:0" and device.available for device in tropic.devices()):
        pytest.skip("no OpenCL device is available")
    there = tropic.Vector.full(5, 2.0, context=tropic.Context("opencl:0"))
    assert there.__dlpack_device__() == (4, 0) and "dltensor" in repr(there.__dlpack__())


def test_files_and_generators(tmp_path, rng):
    a = tropic.kron(6, dtype="int32")
    assert a.is_symmetric and a.shape == (64, 64) and set(np.unique(a.to_coo()[2])) <= set(range(1, 256))
    for name in ("a.mtx", "a.tropic", "a.csv.gz", "a.wel"):
        tropic.write(tmp_path / name, a)
        assert np.array_equal(tropic.read(tmp_path / name).to_dense(0), a.to_dense(0)), name
    assert tropic.read(tmp_path / "a.mtx", dtype="float32").dtype == np.float32
    tropic.write(tmp_path / "a.txt", a, format="mtx", comment="from a test")
    assert (tmp_path / "a.txt").read_text().startswith("%%MatrixMarket")
    assert tropic.read(tmp_path / "a.txt", format="mtx") == tropic.read(tmp_path / "a.mtx")
    steps = []
    tropic.read(tmp_path / "a.mtx", progress=lambda step, done: steps.append(done))
    with pytest.raises(tropic.UsageError, match="format 'xyz'"):
        tropic.read(tmp_path / "a.mtx", format="xyz")
    (tmp_path / "bad.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n")
    with pytest.raises(tropic.InputError, match=r"bad.mtx:3: found '3'"):
        tropic.read(tmp_path / "bad.mtx")
    assert tropic.grid(3).nvals == 24 and tropic.urand(5, 2, 1).shape == (32, 32)
    with pytest.raises(tropic.UsageError, match="int8 cannot hold"):
        tropic.grid(3, dtype="int8")
