# SPDX-License-Identifier: Apache-2.0
"""Arrays of containers on CUDA devices for other libraries: DLPack without a copy, the order of
streams, lifetimes. The device is that of the fake driver, whose streams are really asynchronous."""

import ctypes
import gc
import sys
import types

import numpy as np
import pytest

import fake_cuda
import tropic

CUDA = 2  # kDLCUDA


@pytest.fixture
def driver(monkeypatch):
    path = fake_cuda.library_path()
    for variable in ("TROPIC_CUDA_LIBRARY", "TROPIC_NVRTC_LIBRARY"):
        monkeypatch.setenv(variable, str(path))
    monkeypatch.setenv("TROPIC_CACHE", "off")
    monkeypatch.setenv("TROPIC_PROGRAMS", "off")
    gc.collect()
    driver = fake_cuda.Driver(path)
    yield driver
    gc.collect()
    assert driver.control.misuses() == 0
    assert driver.control.alive() == 0


@pytest.fixture
def reader(driver):
    stream = fake_cuda.Stream(driver)
    yield stream
    stream.close()


def vector(where, *values, dtype="float32"):
    return tropic.Vector.from_array(np.array(values, dtype=dtype), context=where)


def test_vectors_are_given_out_on_their_device(driver, reader):
    where = tropic.Context("cuda:0")
    for versioned in (True, False):
        for dtype in ("float32", "float64", "int64", "uint8", "bool"):
            v = vector(where, 1, 0, 1, dtype=dtype)
            assert v.__dlpack_device__() == (CUDA, 0)
            copies = driver.calls("cuMemcpyDtoHAsync")
            tensor = fake_cuda.Tensor(v, reader.handle, versioned)
            assert (tensor.device, tensor.dtype, tensor.count) == ((CUDA, 0), np.dtype(dtype), 3)
            assert tensor.read_only in (True, None)
            assert driver.calls("cuMemcpyDtoHAsync") == copies
            assert reader.read(tensor) == [1, 0, 1]
            again = fake_cuda.Tensor(v, -1)
            assert again.address == tensor.address
            again.release()
            tensor.release()
    with pytest.raises(tropic.UsageError, match="2 of 3 positions have no entry"):
        tropic.Vector.from_entries([1], [2.0], 3, context=where).__dlpack__()
    empty = fake_cuda.Tensor(tropic.Vector(0, context=where), reader.handle)
    assert empty.count == 0
    empty.release()


def test_the_number_of_the_device(driver):
    there = fake_cuda.Stream(driver, 1)
    v = vector(tropic.Context("cuda:1"), 5, 6)
    assert v.__dlpack_device__() == (CUDA, 1)
    tensor = fake_cuda.Tensor(v, there.handle)
    assert tensor.device == (CUDA, 1) and there.read(tensor) == [5, 6]
    tensor.release()
    there.close()


def test_the_readers_stream_waits_and_the_host_does_not(driver, reader):
    where = tropic.Context("cuda:0")
    v = vector(where, 1, 2, 3)
    assert v.ewise_add(v).to_numpy().tolist() == [2, 4, 6]  # compiles
    w = v.ewise_add(v)  # enqueued
    waits = driver.calls("cuStreamSynchronize")
    tensor = fake_cuda.Tensor(w, reader.handle)
    seen = reader.enqueue_read(tensor)
    assert driver.calls("cuStreamSynchronize") == waits and seen.tolist() == [0, 0, 0]
    reader.finish()
    assert seen.tolist() == [2, 4, 6]
    tensor.release()


def test_streams_by_the_protocol(driver, reader):
    where = tropic.Context("cuda:0")
    v = vector(where, 1, 2)
    for stream, waits in ((None, 1), (1, 1), (2, 1), (-1, 0), (reader.handle, 1)):
        before = driver.calls("cuStreamWaitEvent")
        fake_cuda.Tensor(v, stream).release()
        assert driver.calls("cuStreamWaitEvent") == before + waits, stream
    for stream in (0, -2):
        with pytest.raises(tropic.UsageError, match=f"stream {stream}, needed 1"):
            v.__dlpack__(stream=stream)
    on_host = tropic.Vector.full(2, 1.0)
    with pytest.raises(tropic.UsageError, match="stream 7, but cpu has no streams"):
        on_host.__dlpack__(stream=7)
    assert np.from_dlpack(on_host).tolist() == [1, 1]
    with pytest.raises(TypeError):
        v.__dlpack__(strean=1)


def test_the_callers_own_stream_needs_no_wait(driver, reader):
    v = vector(tropic.Context("cuda:0", queue=reader.handle), 1, 2)
    fake_cuda.Tensor(v, reader.handle).release()  # copies the values to the device
    waits = "cuEventRecord", "cuStreamSynchronize", "cuCtxSynchronize"
    before = list(map(driver.calls, waits))
    fake_cuda.Tensor(v, reader.handle).release()
    assert list(map(driver.calls, waits)) == before


def test_memory_lives_as_long_as_the_tensor(driver, reader):
    where = tropic.Context("cuda:0")
    v = vector(where, 1, 2, 3)
    assert v.ewise_add(v).nvals == 3
    gc.collect()
    used = where.memory_used
    w = v.ewise_add(v)
    held = where.memory_used
    tensor = fake_cuda.Tensor(w, reader.handle)
    del w
    gc.collect()
    assert where.memory_used == held > used
    others = [vector(where, 7, 8, 9) for _ in range(3)]
    seen = reader.enqueue_read(tensor)
    tensor.release()  # waits for the read, as the memory may be used anew
    assert seen.tolist() == [2, 4, 6]
    del others
    gc.collect()
    assert where.memory_used == used
    # A capsule without a consumer.
    capsule = vector(where, 4, 5).__dlpack__()
    assert where.memory_used > used
    del capsule
    assert where.memory_used == used


def test_the_context_lives_as_long_as_the_tensor(driver, reader):
    tensor = fake_cuda.Tensor(vector(tropic.Context("cuda:0"), 1, 2), reader.handle)
    gc.collect()
    assert reader.read(tensor) == [1, 2]
    tensor.release()


@pytest.mark.parametrize("offsets", ["int32", "int64"])
@pytest.mark.parametrize("iso", [False, True])
def test_matrices_are_given_out_on_their_device(driver, reader, offsets, iso):
    where = tropic.Context("cuda:0")
    indptr, indices = np.array([0, 2, 2, 3], dtype=offsets), np.array([0, 2, 1], dtype=np.int32)
    data = 5.0 if iso else np.array([1.0, 2.0, 3.0])
    a = tropic.Matrix.from_csr(indptr, indices, data, (3, 3), context=where)
    taken = [fake_cuda.Tensor(one, reader.handle) for one in a.to_dlpack()]
    assert [one.device for one in taken] == [(CUDA, 0)] * 3
    assert [one.dtype for one in taken] == [np.int32, np.int32, np.float64]
    assert [one.read_only for one in taken] == [True] * 3
    del a
    gc.collect()
    assert [reader.read(one) for one in taken] == [[0, 2, 2, 3], [0, 2, 1], [5, 5, 5] if iso else [1, 2, 3]]
    for one in taken:
        one.release()


def test_matrices_on_a_device_are_not_copied_to_the_host(driver):
    where = tropic.Context("cuda:0")
    a = tropic.Matrix.from_csr(np.array([0, 1, 3]), np.array([1, 0, 2], dtype=np.int32),
                               np.array([1.0, 2.0, 3.0]), (2, 3), context=where)
    a.to_dlpack()
    before = driver.calls("cuMemcpyDtoHAsync")
    for one in a.to_dlpack():
        fake_cuda.Tensor(one).release()
    assert driver.calls("cuMemcpyDtoHAsync") == before + 1  # a flag of the check of narrowed offsets


def stand_in_for_torch():
    """What to_torch calls of PyTorch, which accepts no fake driver: it keeps what it is given."""
    return types.SimpleNamespace(
        from_dlpack=lambda array: fake_cuda.Tensor(array, stream=1),
        sparse_csr_tensor=lambda *parts, size: (parts, size))


def test_to_torch_stays_on_the_device(driver, reader, monkeypatch):
    where = tropic.Context("cuda:0")
    monkeypatch.setitem(sys.modules, "torch", stand_in_for_torch())
    a = tropic.Matrix.from_csr([0, 1, 3], [1, 0, 2], [1.0, 2.0, 3.0], (2, 3), context=where)
    parts, size = a.to_torch()
    assert size == (2, 3) and [one.device for one in parts] == [(CUDA, 0)] * 3
    assert [reader.read(one) for one in parts] == [[0, 1, 3], [1, 0, 2], [1, 2, 3]]
    for one in parts:
        one.release()


def test_copies_on_the_host_for_those_who_ask(driver):
    where = tropic.Context("cuda:0")
    v = vector(where, 1, 2, 3)
    with pytest.raises((BufferError, RuntimeError)):  # NumPy cannot read device memory
        np.from_dlpack(v)
    capsule = v.__dlpack__(dl_device=(1, 0), max_version=(1, 0))
    address = fake_cuda.get_pointer(capsule, b"dltensor_versioned")
    given = fake_cuda.ManagedVersioned.from_address(address).tensor
    assert (given.device_type, given.device_id, given.shape[0]) == (1, 0, 3)
    assert list((ctypes.c_float * 3).from_address(given.data)) == [1, 2, 3]
    del capsule
    for refused in ({"dl_device": (CUDA, 1)}, {"dl_device": (1, 0), "copy": False}, {"copy": True}):
        with pytest.raises(BufferError):
            v.__dlpack__(**refused)


def test_arrays_come_back_without_a_copy(driver, reader):
    where = tropic.Context("cuda:0")
    v = vector(where, 1, 2, 3)
    indptr, indices, data = tropic.Matrix.from_csr(
        np.array([0, 1, 3], dtype=np.int32), np.array([1, 0, 2], dtype=np.int32),
        np.array([1.0, 2.0, 3.0]), (2, 3), context=where).to_dlpack()
    assert data.shape == (3,) and len(indptr) == 3 and indices.dtype == np.int32
    a = tropic.Matrix.from_csr(indptr, indices, data, (2, 3), context=where)
    first, second = fake_cuda.Tensor(data), fake_cuda.Tensor(a.to_dlpack()[2])
    assert first.address == second.address
    assert dict(a.items()) == {(0, 1): 1, (1, 0): 2, (1, 2): 3}
    first.release()
    second.release()
    assert v.nvals == 3
