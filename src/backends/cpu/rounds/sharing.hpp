// SPDX-License-Identifier: Apache-2.0
#pragma once

// When threads share rounds of few edges (owners.cpp), which one thread could do as
// well. They spin for each other. Beside other programs the scheduler takes a thread's processor
// away for milliseconds, as long as hundreds of rounds take, and the others wait. On some machines
// processors exchange cache lines so slowly that sharing never pays.
//
// The rule: the loop measures what a unit of work (an edge or an entry of the frontier) takes on
// one thread, and sharing stops when it took longer than that or a thread waited for long. Rounds
// are not shared then for `rest` times the time that was lost. So about a fiftieth of the time
// should be lost to sharing at most, whatever other programs do; and after a single disturbance
// rounds are soon shared again. The rest is one for the process, since it is about the machine.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>

namespace tropic::detail::on_cpu {

class round_sharing {
 public:
  using clock = std::chrono::steady_clock;

  struct settings {
    int processors = std::numeric_limits<int>::max();  // threads that share rounds, at most
    clock::duration patience = std::chrono::microseconds{100};
    int rest = 50;
    // Edges of a round, on average, from which it is shared: of loops that improve values, which
    // take longer, and of others. Sharing ends below 3/8 of them.
    std::size_t edges_of_values = 256, edges_of_others = 1024;
  };

  explicit round_sharing(const settings& chosen) : chosen_(chosen) {}

  /// That of the process; `processors` are those that it may use.
  static round_sharing& of_process();

  const settings& chosen() const { return chosen_; }
  std::size_t edges(bool improves) const {
    return improves ? chosen_.edges_of_values : chosen_.edges_of_others;
  }
  /// Only while no rounds are shared; the rest ends.
  void choose(const settings& others) {
    chosen_ = others;
    rests_until_.store({}, std::memory_order_relaxed);
  }

  bool rests(clock::time_point now) const {
    return now.time_since_epoch() < rests_until_.load(std::memory_order_relaxed);
  }
  /// Sharing has lost time. Any thread may call it.
  void note_loss(clock::duration lost, clock::time_point now) {
    // A process that was stopped for a minute loses no more than that.
    const auto counted = std::min<clock::duration>(lost, std::chrono::milliseconds{100});
    const clock::duration end = now.time_since_epoch() + chosen_.rest * counted;
    clock::duration old = rests_until_.load(std::memory_order_relaxed);
    while (old < end && !rests_until_.compare_exchange_weak(old, end, std::memory_order_relaxed)) {
    }
  }

 private:
  settings chosen_;
  std::atomic<clock::duration> rests_until_{clock::duration::zero()};
};

/// What a unit of work takes on one thread: the least of samples of some rounds, so that one in
/// which the thread was not running does not count.
class cost_of_one_thread {
 public:
  using duration = round_sharing::clock::duration;

  void add(duration time, std::size_t units) {
    time_ += time;
    units_ += units;
    if (++rounds_ < rounds_of_a_sample) return;
    const double cost = static_cast<double>(time_.count()) / static_cast<double>(units_);
    least_ = is_known() ? std::min(least_, cost) : cost;
    *this = cost_of_one_thread(least_);
  }
  bool is_known() const { return least_ > 0; }
  /// How much longer than one thread would have taken; less than 0: how much shorter.
  duration loss(duration time, std::size_t units) const {
    return time - duration(static_cast<duration::rep>(least_ * static_cast<double>(units)));
  }

  cost_of_one_thread() = default;

 private:
  static constexpr int rounds_of_a_sample = 16;

  explicit cost_of_one_thread(double least) : least_(least) {}

  double least_ = 0;  // ticks a unit
  duration time_{};
  std::size_t units_ = 0;
  int rounds_ = 0;
};

}  // namespace tropic::detail::on_cpu
