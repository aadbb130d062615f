// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is enqueued in one driver context and not known to have ended well, by the names of the
// operations, and whether an error has ended the context. The driver says of such an error neither
// which kernel it comes from nor, where several runtimes share the context, whose it was: so they
// share this log, and the runtime that detects the error names every operation that may have caused
// it.
// Thread-safe.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "backends/cuda/driver.hpp"

namespace tropic::detail {

class launch_log {
 public:
  /// The log of that context, shared by all who ask while any of them holds it.
  static std::shared_ptr<launch_log> of(cu_context);

  /// `who` (a runtime) enqueues for `operation`.
  void note(const void* who, std::string_view operation);
  /// Ends the entries of `who` up to `mark`, which mark() gave before a wait that ended well.
  std::uint64_t mark() const;
  void settle(const void* who, std::uint64_t mark);
  /// "mxv", or "mxv, fill or vxm"; empty where nothing is pending.
  std::string pending() const;

  bool is_lost() const { return is_lost_; }
  /// Empty, or how the context was lost. The first message stays.
  std::string lost() const;
  void lose(const std::string& message);

 private:
  struct entry {
    const void* who;
    std::string operation;
    std::uint64_t last;
  };
  mutable std::mutex mutex_;
  std::vector<entry> entries_;  // one an operation of a runtime, so there are few
  std::uint64_t count_ = 0;
  std::string lost_;
  std::atomic<bool> is_lost_{false};  // whether `lost_` is not empty, for every launch to ask
};

}  // namespace tropic::detail
