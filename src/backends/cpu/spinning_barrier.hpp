// SPDX-License-Identifier: Apache-2.0
#pragma once

// A barrier for steps of a few microseconds, within a parallel region. OpenMP's own lets a thread
// sleep if OMP_WAIT_POLICY is passive, which costs more than such a step.

#include <atomic>
#include <chrono>
#include <thread>

namespace tropic::detail::on_cpu {

/// Lets the processor spend less on a loop that waits.
inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class spinning_barrier {
 public:
  explicit spinning_barrier(unsigned threads) : threads_(threads) {}

  /// Waits until all threads have called it; what they wrote before is visible. Returns whether
  /// that took so long that another thread was probably not running; the processor is left to
  /// others meanwhile.
  bool wait() {
    const unsigned step = step_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      step_.store(step + 1, std::memory_order_release);
      return false;
    }
    const auto is_over = [&] { return step_.load(std::memory_order_acquire) != step; };
    const auto start = std::chrono::steady_clock::now();
    do {
      for (int times = 0; times < 32; ++times) {
        if (is_over()) return false;
        pause_processor();
      }
    } while (std::chrono::steady_clock::now() - start < patience);
    while (!is_over()) std::this_thread::yield();
    return true;
  }

 private:
  static constexpr std::chrono::microseconds patience{200};

  const unsigned threads_;
  alignas(64) std::atomic<unsigned> arrived_{0};
  alignas(64) std::atomic<unsigned> step_{0};
};

}  // namespace tropic::detail::on_cpu
