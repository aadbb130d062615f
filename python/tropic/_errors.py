# SPDX-License-Identifier: Apache-2.0
"""The exceptions, which the extension module raises for those of the library."""

from . import _core


class Error(Exception):
    """Base of the errors of Tropic."""


class UsageError(Error, ValueError):
    """Arguments whose values, shapes, types or contexts do not match."""


class ExpressionError(UsageError):
    """Text or a function that is not in the operator language."""


class InputError(Error, ValueError):
    """A file that cannot be read or violates its format; the message names file and line."""


class NegativeCycle(Error, ValueError):
    """Shortest paths without a lower bound: a cycle of negative weight."""


class NoConvergence(Error, ValueError):
    """A centrality whose loop did not end within its number of iterations."""


class OutOfMemory(Error, MemoryError):
    """More memory than the machine, the device or the context's limit allows."""


class DeviceError(Error, RuntimeError):
    """A device, driver or run-time compiler that is missing or has failed."""


class Cancelled(Error):
    """Context.cancel() was called."""


for _kind in (Error, UsageError, ExpressionError, InputError, NegativeCycle,
              NoConvergence, OutOfMemory, DeviceError, Cancelled):
    _kind.__module__ = "tropic"

_core.set_errors(Error, UsageError, ExpressionError, InputError, NegativeCycle, NoConvergence,
                 OutOfMemory, DeviceError, Cancelled)
