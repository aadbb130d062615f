# SPDX-License-Identifier: Apache-2.0
"""Contexts: a device, its memory and its threads."""

from __future__ import annotations

import threading
from typing import Callable, NamedTuple, Optional

from . import _core


class Device(NamedTuple):
    """One device of this machine."""

    name: str  #: the argument of Context
    description: str  #: the name given by the driver
    available: bool
    reason: str  #: why it is not available, or what it lacks


class OperationProfile(NamedTuple):
    """All calls of one operation (Context.profile)."""

    operation: str
    calls: int
    seconds: float  #: until the device has finished
    launches: int  #: of kernels
    bytes_copied: int  #: between host and device


def devices() -> list[Device]:
    """All devices of this machine, with the reason for those that cannot be used."""
    return [Device(*one) for one in _core.devices()]


class Context:
    """A device with its memory and threads. Containers belong to one context, which they keep alive.

    Parameters
    ----------
    device : str
        ``"cpu"``, ``"auto"`` (the first usable GPU, else the CPU), ``"reference"``, ``"cuda[:N]"``
        or ``"opencl[:N]"``.
    threads : int
        CPU threads; 0: ``OMP_NUM_THREADS``, else all hardware threads.
    memory_limit : int
        Bytes of all containers on host and device together, and of reading files; 0: no limit.
    log : callable, optional
        Called with each notice (str): a fallback, a cache that cannot be written.
    queue : int
        The address of a CUstream or cl_command_queue to use instead of a new one, such as
        ``torch.cuda.current_stream().cuda_stream or 1``; 0: a new one. PyTorch's default stream has
        the address 0, and 1 (CU_STREAM_LEGACY) names it.
    profile : bool
        Records calls and durations of operations (``profile()``), which is slower.
    text_compiler : str
        Compiles the CPU's kernels of semirings given as text or by a function: ``"auto"``, or a C
        compiler; empty: none.

    Raises
    ------
    UsageError
        An unknown device, an option out of range.
    DeviceError
        The device cannot be used; the message gives the reason.
    """

    __slots__ = ("_core",)

    def __init__(
        self,
        device: str = "cpu",
        *,
        threads: int = 0,
        memory_limit: int = 0,
        log: Optional[Callable[[str], object]] = None,
        queue: int = 0,
        profile: bool = False,
        text_compiler: str = "",
    ) -> None:
        self._core = _core.make_context(
            device, threads, memory_limit, log, queue, profile, text_compiler
        )

    @property
    def name(self) -> str:
        """``"cpu"``, ``"cuda:0"``, ..."""
        return self._core.name

    @property
    def threads(self) -> int:
        """CPU threads."""
        return self._core.threads

    @property
    def is_host(self) -> bool:
        """Whether the device is the host."""
        return self._core.is_host

    @property
    def memory_used(self) -> int:
        """Bytes of all containers, on host and device together."""
        return self._core.memory_used

    @property
    def memory_limit(self) -> int:
        """The limit of memory_used in bytes; 0: none."""
        return self._core.memory_limit

    def synchronize(self) -> None:
        """Wait for the device; raises errors of earlier work."""
        self._core.synchronize()

    def cancel(self) -> None:
        """End long-running work of this context in any thread soon with Cancelled, until resume()."""
        self._core.cancel()

    def resume(self) -> None:
        """Let work run again after cancel()."""
        self._core.resume()

    def profile(self) -> list[OperationProfile]:
        """Calls of each operation so far; empty without Context(profile=True)."""
        return [OperationProfile(*one) for one in self._core.profile()]

    def __eq__(self, other: object) -> bool:
        return self._core is other._core if isinstance(other, Context) else NotImplemented

    def __hash__(self) -> int:
        return hash(id(self._core))

    def __repr__(self) -> str:
        return f"<tropic.Context {self.name}, {self.threads} threads>"


_lock = threading.Lock()
_default: Optional[Context] = None


def default_context() -> Context:
    """The context of containers that are made without one: the CPU, unless changed."""
    global _default
    with _lock:
        if _default is None:
            _default = Context("cpu")
        return _default


def set_default_context(context: Context) -> None:
    """Make `context` the one of containers that are made without one."""
    global _default
    if not isinstance(context, Context):
        raise TypeError(f"a tropic.Context is needed, found {type(context).__name__}")
    with _lock:
        _default = context


def wrap(handle: _core.Context) -> Context:
    """The Context of a handle of the extension module."""
    result = object.__new__(Context)
    result._core = handle
    return result


def given_or_default(context: Optional[Context]) -> _core.Context:
    """The handle of the context that the user gave, or of the default one."""
    if context is None:
        return default_context()._core
    if not isinstance(context, Context):
        raise TypeError(f"context is a {type(context).__name__}, needed a tropic.Context")
    return context._core
