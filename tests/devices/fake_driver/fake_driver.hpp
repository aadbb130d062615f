// SPDX-License-Identifier: Apache-2.0
#pragma once

// A CUDA driver without a device: a shared library that exports what the CUDA runtime calls, with
// host memory behind it. What is enqueued on a stream really waits for a synchronisation, so a copy
// that is not waited for shows; a call in a thread without its context, a block freed while work is
// enqueued, and a handle that does not exist are errors, as strictly as no real driver has them.
//
// Kernels are functions of the test. Two devices, of compute capability 9.0.

#include <cstddef>
#include <vector>

namespace tropic::testing {

/// What a test does to the fake driver, and asks it. Found as the symbol tropic_fake_control.
struct fake_control {
  /// As new: nothing allocated, no kernels, nothing to fail, `memory` bytes a device.
  void (*reset)(std::size_t memory);
  /// The n-th call from now on (1: the next) of that function ends with `status`.
  void (*fail)(const char* function, int nth, int status);
  /// The next synchronisation fails with `status`, and, as after the failure of a real kernel,
  /// every later call.
  void (*fail_kernels)(int status);
  /// What the kernel of that name takes and does; without a function it does nothing.
  void (*define_kernel)(const char* name, std::vector<std::size_t> sizes, void (*run)(void**));
  /// The compute capability of both devices, 90 at first.
  void (*set_capability)(int capability);

  long (*calls)(const char* function);
  std::size_t (*used)(int device);  // bytes allocated
  std::size_t (*alive)();           // contexts retained, modules, streams, blocks
  int (*misuses)();                 // calls that a real driver might not have forgiven
};

}  // namespace tropic::testing
