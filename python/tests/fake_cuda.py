# SPDX-License-Identifier: Apache-2.0
"""The CUDA driver without a device of the C++ tests (tests/devices/fake_driver), and a library that
reads tensors of DLPack on its devices, on a stream of its own."""

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_long, c_size_t
from ctypes import c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from pathlib import Path

import numpy as np

MEMORY = 64 << 20


def library_path():
    """scripts/check-python builds it and sets the variable."""
    named = os.environ.get("TROPIC_FAKE_CUDA")
    built = Path(__file__).resolve().parents[2] / "build" / "test"
    path = Path(named) if named else built / "tests" / "devices" / "libtropic_fake_cuda.so"
    assert path.exists(), f"{path} is missing: build it by ninja tropic_fake_cuda"
    return path


class Control(ctypes.Structure):
    """fake_control of fake_driver.hpp."""

    _fields_ = [
        ("reset", CFUNCTYPE(None, c_size_t)), ("fail", c_void_p), ("fail_kernels", c_void_p),
        ("define_kernel", c_void_p), ("set_capability", c_void_p),
        ("calls", CFUNCTYPE(c_long, c_char_p)), ("used", CFUNCTYPE(c_size_t, c_int)),
        ("alive", CFUNCTYPE(c_size_t)), ("misuses", CFUNCTYPE(c_int)),
    ]


class Driver:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.control = Control.in_dll(self.library, "tropic_fake_control")
        self.control.reset(MEMORY)

    def calls(self, function):
        return self.control.calls(function.encode())

    def __call__(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        assert status == 0, (function, status)


class Stream:
    """A stream of another library on a device."""

    def __init__(self, driver, device=0):
        self.driver, self.device = driver, device
        self.context, stream = c_void_p(), c_void_p()
        driver("cuDevicePrimaryCtxRetain", byref(self.context), device)
        driver("cuCtxSetCurrent", self.context)
        driver("cuStreamCreate", byref(stream), 1)
        self.handle = stream.value

    def enqueue_read(self, tensor):
        """An array that gets the tensor's values, in turn."""
        result = np.zeros(tensor.count, dtype=tensor.dtype)
        self.driver("cuCtxSetCurrent", self.context)
        self.driver("cuMemcpyDtoHAsync_v2", c_void_p(result.ctypes.data), c_uint64(tensor.address),
                    c_size_t(result.nbytes), c_void_p(self.handle))
        return result

    def finish(self):
        self.driver("cuCtxSetCurrent", self.context)
        self.driver("cuStreamSynchronize", c_void_p(self.handle))

    def read(self, tensor):
        result = self.enqueue_read(tensor)
        self.finish()
        return result.tolist()

    def close(self):
        self.driver("cuCtxSetCurrent", self.context)
        self.driver("cuStreamDestroy_v2", c_void_p(self.handle))
        self.driver("cuCtxSetCurrent", None)
        self.driver("cuDevicePrimaryCtxRelease_v2", self.device)


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
        ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)), ("byte_offset", c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("manager_ctx", c_void_p),
                ("deleter", c_void_p), ("flags", c_uint64), ("tensor", DLTensor)]


KINDS = {6: "b", 0: "i", 1: "u", 2: "f"}
get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.argtypes, get_pointer.restype = [ctypes.py_object, c_char_p], c_void_p
set_name = ctypes.pythonapi.PyCapsule_SetName
set_name.argtypes = [ctypes.py_object, c_char_p]


class Tensor:
    """What a consumer makes of an array: takes the capsule over, and gives it back at the end."""

    def __init__(self, array, stream=None, versioned=True):
        self.device = array.__dlpack_device__()
        options = {"max_version": (1, 0)} if versioned else {}
        capsule = array.__dlpack__(stream=stream, **options)
        name = b"dltensor_versioned" if versioned else b"dltensor"
        self.at = get_pointer(capsule, name)
        set_name(capsule, b"used_versioned" if versioned else b"used")
        managed = (ManagedVersioned if versioned else Managed).from_address(self.at)
        self.deleter, given = managed.deleter, managed.tensor
        self.read_only = bool(managed.flags & 1) if versioned else None
        assert (given.device_type, given.device_id) == self.device
        assert given.ndim == 1 and given.lanes == 1 and given.byte_offset == 0
        self.address, self.count = given.data or 0, given.shape[0]
        kind = KINDS[given.code]
        self.dtype = np.dtype("bool") if kind == "b" else np.dtype(f"{kind}{given.bits // 8}")

    def release(self):
        # Called with the GIL, as by a consumer in C++ that holds it.
        ctypes.PYFUNCTYPE(None, c_void_p)(self.deleter)(self.at)
