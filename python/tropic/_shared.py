# SPDX-License-Identifier: Apache-2.0
"""Arrays of containers for other libraries, where they lie: DLPack."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._types import DTYPES

_HOST = (1, 0)  # DLPack's kDLCPU


class SharedArray:
    """One array of a vector or matrix, on the host or on its device, for libraries with DLPack.

    ``torch.from_dlpack``, ``cupy.from_dlpack``, ``jax.dlpack.from_dlpack`` and, on the host,
    ``numpy.from_dlpack`` make a tensor over its memory, which is kept until the tensor is gone.
    It is read-only, and marked so for consumers that know read-only tensors.
    """

    __slots__ = ("_core",)

    def __init__(self, handle: _core.SharedArray) -> None:
        self._core = handle

    @property
    def dtype(self) -> "np.dtype[Any]":
        """Type of the values."""
        return DTYPES[self._core.type]

    @property
    def shape(self) -> tuple[int]:
        """Number of values."""
        return (len(self._core),)

    def __len__(self) -> int:
        return len(self._core)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._core.device

    def __dlpack__(self, *, stream: Optional[int] = None,
                   max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None,
                   copy: Optional[bool] = None) -> Any:
        """A capsule, as DLPack's protocol for Python says.

        Parameters
        ----------
        stream : int, optional
            The stream of a CUDA device that reads the array: it waits until the values are
            computed, and the host does not. None or 1: the legacy default stream; 2: that of the
            thread; -1: no stream waits; else a CUstream. On other devices None, and the values are
            computed.
        dl_device : (int, int), optional
            Its own device, or (1, 0) for a copy on the host.

        Raises
        ------
        UsageError
            A stream that the device does not have; 0, which could mean any of three.
        BufferError
            Another device, or ``copy=True``.
        """
        shared: Any
        if dl_device is None or tuple(dl_device) == self._core.device:
            if copy:
                raise BufferError("copy=True of an array that is shared: let the consumer copy it")
            shared = self._core.exported(stream)
        elif tuple(dl_device) == _HOST and copy is not False:
            shared = self._core.exported_copy(stream)
        else:
            raise BufferError(f"an array on DLPack's device {self._core.device} is given out there, "
                              f"or as a copy on the host, not on {tuple(dl_device)}")
        return shared.__dlpack__(max_version=max_version)
