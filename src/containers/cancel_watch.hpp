// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

#include "containers/context_state.hpp"

namespace tropic::detail {

/// Ends long host work soon after the context's cancel token is set. What it has seen once stays
/// true, so that a loop that skipped work on its word always throws afterwards.
class cancel_watch {
 public:
  explicit cancel_watch(const context_pointer& context) : context_(*context) {}

  /// Throws tropic::cancelled if the token is or was set.
  void check() {
    if (is_cancelled()) throw cancelled();
  }
  /// For every turn of a serial loop: checks once in 4096 turns.
  void step() {
    if ((++steps_ & 4095) == 0) check();
  }
  /// For parallel loops, which must not throw: they skip the rest, and `check` follows them.
  bool is_cancelled() {
    if (context_.is_cancelled()) seen_.store(true, std::memory_order_relaxed);
    return seen_.load(std::memory_order_relaxed);
  }
  /// f(begin, end) over [0, count) in blocks, for loops too tight to `step`.
  template <class F>
  void in_blocks(std::size_t count, F&& f) {
    constexpr std::size_t block = std::size_t{1} << 18;
    for (std::size_t begin = 0; begin < count; begin += block) {
      check();
      f(begin, count - begin < block ? count : begin + block);
    }
  }

 private:
  const context_state& context_;
  std::atomic<bool> seen_{false};
  std::size_t steps_ = 0;
};

}  // namespace tropic::detail
