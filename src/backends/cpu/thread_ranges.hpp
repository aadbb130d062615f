// SPDX-License-Identifier: Apache-2.0
#pragma once

// A loop whose iterations differ in work, divided over threads: each thread has a range of its own,
// and takes from the ends of others when that is done. So a thread of one loop finds most of what
// it wrote in the last one in its own caches, as it would not if threads took the next iteration
// from a common counter. (Ranges with stealing: Blumofe and Leiserson,
// "Scheduling Multithreaded Computations by Work Stealing", J. ACM 46 (1999).)

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tropic::detail::on_cpu {

class thread_ranges {
 public:
  /// [0, count), at most 2^32 - 1, for `threads` threads.
  thread_ranges(int threads, std::size_t count)
      : ranges_(static_cast<std::size_t>(threads)), count_(count) {
    const std::size_t all = ranges_.size();
    for (std::size_t t = 0; t < all; ++t)
      ranges_[t].ends.store(pack(count * t / all, count * (t + 1) / all),
                            std::memory_order_relaxed);
  }

  /// What a thread does next, each iteration once; `count` if nothing is left.
  std::size_t next(int thread) {
    const std::size_t own_range = static_cast<std::size_t>(thread), all = ranges_.size();
    if (const std::size_t i = take(ranges_[own_range], true); i != count_) return i;
    for (std::size_t k = 1; k < all; ++k)
      if (const std::size_t i = take(ranges_[(own_range + k) % all], false); i != count_) return i;
    return count_;
  }

 private:
  struct alignas(64) range {             // a cache line each
    std::atomic<std::uint64_t> ends{0};  // the first, and the one behind the last
  };

  static std::uint64_t pack(std::uint64_t begin, std::uint64_t end) { return begin << 32 | end; }

  // The first one of a range, or the last; count_ if it is empty.
  std::size_t take(range& from, bool first) const {
    std::uint64_t seen = from.ends.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t begin = seen >> 32, end = seen & 0xffffffffu;
      if (begin >= end) return count_;
      const std::uint64_t left = first ? pack(begin + 1, end) : pack(begin, end - 1);
      if (from.ends.compare_exchange_weak(seen, left, std::memory_order_relaxed))
        return first ? begin : end - 1;
    }
  }

  std::vector<range> ranges_;
  std::size_t count_;
};

}  // namespace tropic::detail::on_cpu
