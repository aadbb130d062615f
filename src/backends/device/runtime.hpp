// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a device API gives to the kernels: memory, compiled programs, an in-order queue. The CUDA
// and the OpenCL runtime implement it, the device backend is written once above it. Kernels are
// enqueued and not waited for; an error of one surfaces at the next synchronisation (finish, or
// to_host), named after the operation that enqueued it. Thread-safe.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/context.hpp>

#include "backends/device/program/program.hpp"
#include "containers/memory/memory.hpp"

namespace tropic::detail {

/// How the work-items of a subgroup exchange values (dialect_*.h).
enum class subgroup_exchange {
  local_memory,  // a work-group is one subgroup and its barrier the subgroup's own
  shuffle,       // NVIDIA's warp shuffle, in CUDA and as inline PTX in its OpenCL
};

/// Groups of a launch that run at the same time and wait for one another, where devices have that.
inline constexpr std::uint32_t groups_of_cluster = 8;

/// What kernels and their tuning constants are chosen by.
struct device_traits {
  std::string name;  // "NVIDIA H200"
  dialect language = dialect::opencl;
  bool fp64 = false;
  bool atomics_64 = false;           // compare-and-swap of 64 bits
  std::size_t local_bytes = 0;       // local memory of a work-group
  std::size_t most_local_bytes = 0;  // in a launch that asks for more
  std::size_t group_limit = 1;       // work-items of a work-group
  std::size_t processors = 1;        // compute units, multiprocessors
  std::uint32_t subgroup_size = 1;   // T: work-items of a subgroup
  subgroup_exchange exchange = subgroup_exchange::local_memory;
  std::uint32_t groups_together = 1;  // that run at once and wait for one another

  /// The size of a work-group: `wanted`, halved until the device supports it.
  std::size_t group_within(std::size_t wanted) const {
    while (wanted > group_limit) wanted /= 2;
    return wanted;
  }
};

/// One kernel argument: a scalar, a vector of words, or a device pointer (its handle).
struct kernel_argument {
  std::size_t size;
  const void* data;
  template <class T>
  kernel_argument(const T& value) : size(sizeof(T)), data(&value) {}
  template <class T>
  kernel_argument(const std::vector<T>& words)
      : size(words.size() * sizeof(T)), data(words.data()) {}
};

using tropic::device_traffic;

/// A program compiled for one device; lives as long as its runtime.
class compiled_program {
 public:
  virtual ~compiled_program() = default;
};

/// Handles of memory are void*: a cl_mem, or a CUdeviceptr.
class device_runtime : public memory_resource {
 public:
  virtual const device_traits& traits() const = 0;
  /// The device, its driver and compiler: what binaries and measured constants hold for.
  virtual std::string identity() const = 0;
  /// "cuda:0", for messages.
  virtual const std::string& name() const = 0;
  /// Compiled at most once a process, and once a machine where the cache works. Null where the
  /// program needs fp64 and the device has none. Throws device_error with the compiler's log.
  virtual const compiled_program* program(const program_request&) = 0;
  /// Says that program() will soon be called with this. A runtime that would have to compile it may
  /// begin, in another thread.
  virtual void prepare(const program_request&) {}
  /// Enqueues `groups` work-groups of `group_size` for `operation` ("mxv"). Arguments are copied.
  /// `local_space`: bytes of the kernel's T_LOCAL_SPACE, at most most_local_bytes.
  virtual void launch(std::string_view operation, const compiled_program&, const char* kernel,
                      std::span<const kernel_argument> arguments, std::size_t groups,
                      std::size_t group_size, std::size_t local_space = 0) = 0;
  /// Enqueues: every byte becomes `value`.
  virtual void fill(void* memory, unsigned char value, std::size_t bytes) = 0;
  /// Waits for all that was enqueued; throws device_error if any of it failed.
  virtual void finish() = 0;
  /// A small block, to be passed where a kernel will not look.
  virtual void* nothing() = 0;
  static constexpr std::size_t nothing_bytes = 256;
  /// Programs compiled so far, those from the cache on disk not counted.
  virtual int compilations() const = 0;
  /// What has gone through it so far.
  device_traffic traffic() const { return {sent_, fetched_, launched_, blocks_taken()}; }

 protected:
  virtual std::uint64_t blocks_taken() const = 0;
  std::atomic<std::uint64_t> sent_{0}, fetched_{0}, launched_{0};
};

}  // namespace tropic::detail
