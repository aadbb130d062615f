// SPDX-License-Identifier: Apache-2.0
#pragma once

// A CUDA driver without a device: a shared library that exports the functions that the CUDA runtime
// calls, backed by host memory. Work enqueued on a stream really waits for a synchronisation, so a
// missing wait is detected. A call in a thread without its context, freeing a block while work is
// enqueued, and an invalid handle are errors; no real driver is as strict.
//
// Kernels are functions of the test, or run as they are written: the library is an NVRTC as well
// (TROPIC_NVRTC_LIBRARY), whose programs it runs on the CPU (emulation.hpp). There are two devices,
// of compute capability 9.0.

#include <cstddef>
#include <vector>

namespace tropic::testing {

/// Control and state of the fake driver, for tests. Found as the symbol tropic_fake_control.
struct fake_control {
  /// Resets the driver: nothing allocated, no kernels, no failures, `memory` bytes per device.
  void (*reset)(std::size_t memory);
  /// The n-th call of that function from now on (1: the next) returns `status`.
  void (*fail)(const char* function, int nth, int status);
  /// The next synchronisation fails with `status`, and so does every later call, as after a failure
  /// of a real kernel.
  void (*fail_kernels)(int status);
  /// The arguments and the effect of the kernel of that name; without a function it does nothing.
  void (*define_kernel)(const char* name, std::vector<std::size_t> sizes, void (*run)(void**));
  /// The compute capability of both devices, initially 90.
  void (*set_capability)(int capability);

  long (*calls)(const char* function);
  std::size_t (*used)(int device);  // bytes allocated
  std::size_t (*alive)();           // contexts retained, modules, streams, blocks
  int (*misuses)();                 // misuses that a real driver might not have reported
};

}  // namespace tropic::testing
