// SPDX-License-Identifier: Apache-2.0
#pragma once

// A context is a backend and a device with its memory, threads, log and cancel token. There is no
// global state: containers are bound to the context they are made with, and a program may hold
// any number of contexts, in any threads.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/semirings/export.hpp>

namespace tropic {

namespace detail {
struct context_state;
}

struct context_options {
  /// CPU threads; 0: all that the machine (or OMP_NUM_THREADS) gives. At most 256 or four times
  /// those of the machine, whichever is more, and as many as the process can start: usage_error
  /// otherwise. OpenMP keeps that many for each thread of the program that calls: eight which each
  /// call with N threads have 8 N.
  int threads = 0;
  /// Bytes that the context's containers may hold on host and device together, and read_matrix
  /// while it reads into them; 0: no limit of ours.
  std::size_t memory_limit = 0;
  /// Receives notices: a fallback taken, a cache that cannot be written. Default: dropped.
  std::function<void(std::string_view)> log{};
  /// Called between steps of long-running work with its name and the fraction done (or -1).
  std::function<void(std::string_view, double)> progress{};
  /// Long-running work throws tropic::cancelled soon after this becomes true.
  std::shared_ptr<std::atomic<bool>> cancel{};
  /// A CUstream or cl_command_queue (in order) of that device to enqueue on instead of one of our
  /// own. The caller keeps a stream alive as long as the context, which retains a queue itself.
  /// Null: our own. Contexts without a device of that kind refuse one.
  void* queue = nullptr;
  /// Notes how often each operation runs and for how long, the device waited for after each
  /// (context::profile()): slower.
  bool profile = false;
};

/// What went between a host and its device, and what the device was asked for.
struct device_traffic {
  std::uint64_t to_device = 0, to_host = 0;  // bytes
  std::uint64_t launches = 0;                // of kernels
  std::uint64_t blocks = 0;                  // of memory that the driver gave
};

/// All calls of one operation.
struct operation_profile {
  std::string operation;  // as errors name it: "mxv", "vxm", "ewise", "apply", ...
  std::uint64_t calls = 0;
  double seconds = 0;              // until the device was done
  std::uint64_t launches = 0;      // of kernels
  std::uint64_t bytes_copied = 0;  // between host and device, either way
};

/// A handle: copies are the same context, which lives as long as one of them or a container of it.
/// Moving one copies it. Any number of threads may use one context at the same time, each for
/// containers of its own or for reading shared ones; log and progress are then called from several
/// threads at once. After fork() the child computes on one thread; a device's context of the parent
/// throws usage_error there (docs/c.md).
class TROPIC_API context {
 public:
  context(const context&) = default;
  context& operator=(const context&) = default;

  /// Sequential, naive, obviously right: the specification that the others are tested against.
  static context reference(context_options options = {});
  /// OpenMP, load balanced.
  static context cpu(context_options options = {});
  /// Device `number` of those that `devices()` lists. Throws device_error with the reason.
  static context cuda(int number = 0, context_options options = {});
  static context opencl(int number = 0, context_options options = {});
  /// The first CUDA device that can be used, else the first OpenCL device that is no CPU, else
  /// `cpu`. The log says which, and why none before it.
  static context automatic(context_options options = {});
  /// By name: auto, reference, cpu, opencl[:N], cuda[:N]. Throws usage_error or device_error.
  static context named(std::string_view device, context_options options = {});
  /// Tests: the CPU backend behind explicit copies, device memory poisoned while it is invalid.
  static context fake_device(context_options options = {});

  /// "reference", "cpu", "cuda:0", ...
  const std::string& name() const;
  int threads() const;
  std::size_t memory_used() const;
  std::size_t memory_limit() const;

  /// Waits for the device; an error of an operation before this call is thrown here.
  void synchronize() const;
  /// Throws tropic::cancelled if the cancel token is set; reports progress.
  void checkpoint(std::string_view step, double fraction = -1) const;

  /// Every operation since the context was made, or since forget_profile(), that which took longest
  /// first. Empty without context_options::profile.
  std::vector<operation_profile> profile() const;
  void forget_profile() const;
  /// Since the context was made; all zero where the device is the host.
  device_traffic traffic() const;

  friend bool operator==(const context& a, const context& b) { return a.state_ == b.state_; }

  const std::shared_ptr<detail::context_state>& state() const { return state_; }
  explicit context(std::shared_ptr<detail::context_state> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<detail::context_state> state_;
};

/// One line of `tropic devices`.
struct device_info {
  std::string name;         // what --device takes
  std::string description;  // the device's own name
  bool available = false;
  std::string reason;   // why it is not available, or what it lacks
  bool is_cpu = false;  // processors of the host, under another API
};
/// Every device that could be used here, and for those that could not, why.
TROPIC_API std::vector<device_info> devices();

}  // namespace tropic
