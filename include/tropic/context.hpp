// SPDX-License-Identifier: Apache-2.0
#pragma once

// A context is a backend and a device with its memory, threads, log and cancel token. There is no
// global state: containers belong to the context that they are created in, and a program may have
// any number of contexts, in any threads.

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

/// Requests that long-running work stops. Copies share one flag: pass the token to contexts, keep
/// a copy, and call cancel() from any thread or a signal handler.
class TROPIC_API cancel_token {
 public:
  /// A new flag, not set.
  cancel_token();
  cancel_token(const cancel_token&) = default;  // moving copies
  cancel_token& operator=(const cancel_token&) = default;

  void cancel() const noexcept;
  /// Clears the flag: work that starts afterwards runs.
  void reset() const noexcept;
  bool is_cancelled() const noexcept;

 private:
  struct flag;
  std::shared_ptr<flag> flag_;
};

struct context_options {
  /// Number of CPU threads. 0 selects OpenMP's default: OMP_NUM_THREADS, otherwise all hardware
  /// threads, reduced to what the process can start. The maximum is 256 or four times the number of
  /// hardware threads, whichever is larger. Creating a context throws usage_error for more, or for
  /// more than the process can start. The reference context always runs on one thread. OpenMP keeps
  /// a pool for each calling thread: eight threads that each call with N threads start 8 N in
  /// total.
  int threads = 0;
  /// The maximum number of bytes of the context's containers on host and device together,
  /// including read_matrix while it reads; 0: no limit.
  std::size_t memory_limit = 0;
  /// Receives notices: a fallback, a cache that cannot be written. Default: discarded.
  std::function<void(std::string_view)> log{};
  /// Called between steps of long-running work with its name and the fraction done, or -1 if that
  /// is not known.
  std::function<void(std::string_view, double)> progress{};
  /// Long-running work throws tropic::cancelled soon after the token is set.
  cancel_token cancel{};
  /// The queue to use instead of a new one: a CUstream, or an in-order cl_command_queue, of the
  /// device. Null: the context creates one. The caller keeps a CUstream alive as long as the
  /// context; a cl_command_queue is retained. Contexts without such a device throw usage_error when
  /// they are created, and so does context::automatic().
  void* queue = nullptr;
  /// Records number and duration of the calls of each operation (context::profile()). Waits for the
  /// device after each operation, which is slower.
  bool profile = false;
  /// Compiles the CPU's kernels of semirings given as text by the machine's C compiler, once per
  /// semiring, type and machine (docs/operators.md): "auto" (cc, gcc or clang), a name looked up in
  /// PATH, or a path. Empty: none. Without a compiler that works the log receives a notice, and
  /// products are computed by blocks. Results have the same bits.
  std::string text_compiler{};
};

/// Transfers between host and device, and requests to the device.
struct device_traffic {
  std::uint64_t to_device = 0, to_host = 0;  // bytes
  std::uint64_t launches = 0;                // of kernels
  std::uint64_t blocks = 0;                  // memory blocks allocated by the driver
};

/// All calls of one operation.
struct operation_profile {
  std::string operation;  // as errors name it: "mxv", "vxm", "ewise", "apply", ...
  std::uint64_t calls = 0;
  double seconds = 0;              // until the device has finished
  std::uint64_t launches = 0;      // of kernels
  std::uint64_t bytes_copied = 0;  // between host and device, in both directions
};

/// A handle to a context. All copies refer to the same context, which lives until the last handle
/// and the last of its containers are gone. Moving a handle copies it. Several threads may use one
/// context at the same time, with separate containers or for reading shared ones. The log and
/// progress functions are then called concurrently. After fork(), the child computes on one thread,
/// and operations on a device context of the parent throw device_error there (docs/c.md).
class TROPIC_API context {
 public:
  context(const context&) = default;
  context& operator=(const context&) = default;

  /// Sequential and simple: the specification that the other backends are tested against.
  static context reference(context_options options = {});
  /// OpenMP with load balancing.
  static context cpu(context_options options = {});
  /// Device `number` as listed by devices(). Throws device_error with the reason.
  static context cuda(int number = 0, context_options options = {});
  static context opencl(int number = 0, context_options options = {});
  /// The first usable CUDA device, else the first usable OpenCL device that is not a CPU, else
  /// `cpu`. The log receives the choice and the reasons why earlier candidates were rejected.
  /// Throws usage_error if options.queue is set, since a queue belongs to one device.
  static context automatic(context_options options = {});
  /// By name: auto, reference, cpu, opencl[:N], cuda[:N]. Throws usage_error or device_error.
  static context named(std::string_view device, context_options options = {});
  /// For tests: the CPU backend with separate device memory, which is poisoned while it is invalid.
  static context fake_device(context_options options = {});

  /// "reference", "cpu", "cuda:0", ...
  const std::string& name() const;
  int threads() const;
  /// True if the device is the host: its kernels read containers where they are.
  bool is_host() const;
  /// Bytes in use on host and device together.
  std::size_t memory_used() const;
  std::size_t memory_limit() const;

  /// Waits for the device; throws errors of earlier operations.
  void synchronize() const;
  /// Reports progress; throws tropic::cancelled if the cancel token is set.
  void checkpoint(std::string_view step, double fraction = -1) const;

  /// All operations since the context was created, or since forget_profile(), by descending time.
  /// Empty without context_options::profile.
  std::vector<operation_profile> profile() const;
  void forget_profile() const;
  /// Transfers and requests since the context was created. All zero unless the device is a CUDA or
  /// OpenCL device.
  device_traffic traffic() const;

  friend bool operator==(const context& a, const context& b) { return a.state_ == b.state_; }

  const std::shared_ptr<detail::context_state>& state() const { return state_; }
  explicit context(std::shared_ptr<detail::context_state> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<detail::context_state> state_;
};

/// One line of `tropic devices`.
struct device_info {
  std::string name;         // the argument of --device
  std::string description;  // the name given by the driver
  bool available = false;
  std::string reason;   // why it is not available, or what it lacks
  bool is_cpu = false;  // the host's processors as a device
};
/// All devices of this machine, with the reason for those that cannot be used.
TROPIC_API std::vector<device_info> devices();

}  // namespace tropic
