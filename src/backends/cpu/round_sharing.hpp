// SPDX-License-Identifier: Apache-2.0
#pragma once

// When threads may share rounds of few edges (round_loop_owners.cpp). They spin for each other, so
// each needs a processor. Beside other programs the scheduler takes one away for milliseconds, in
// which the other threads wait, and which is as long as hundreds of rounds take. One thread has no
// such waits.
//
// The rule: after a thread has waited for longer than its patience, no rounds are shared for `rest`
// times as long as it waited. So about a twentieth of the time, at most, is lost to such waits,
// whatever the time slices of the scheduler; and after a single disturbance rounds are soon shared
// again. The rule is one for the process, since it is about the machine.

#include <algorithm>
#include <atomic>
#include <chrono>

namespace tropic::detail::on_cpu {

class round_sharing {
 public:
  using clock = std::chrono::steady_clock;

  struct settings {
    int processors = 1;  // threads that share rounds, at most
    clock::duration patience = std::chrono::microseconds{100};
    int rest = 20;
  };

  explicit round_sharing(const settings& chosen) : chosen_(chosen) {}

  /// That of the process; `processors` are those that it may use.
  static round_sharing& of_process();

  const settings& chosen() const { return chosen_; }
  /// Only while no rounds are shared; the rest ends.
  void choose(const settings& others) {
    chosen_ = others;
    rests_until_.store({}, std::memory_order_relaxed);
  }

  bool rests(clock::time_point now) const {
    return now.time_since_epoch() < rests_until_.load(std::memory_order_relaxed);
  }
  /// A thread has waited for another one. Any thread may call it.
  void note_wait(clock::duration waited, clock::time_point now) {
    if (waited <= chosen_.patience) return;
    const clock::duration end = now.time_since_epoch() + chosen_.rest * waited;
    clock::duration old = rests_until_.load(std::memory_order_relaxed);
    while (old < end && !rests_until_.compare_exchange_weak(old, end, std::memory_order_relaxed)) {
    }
  }

 private:
  settings chosen_;
  std::atomic<clock::duration> rests_until_{clock::duration::zero()};
};

}  // namespace tropic::detail::on_cpu
