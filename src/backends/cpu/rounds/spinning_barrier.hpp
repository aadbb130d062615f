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
  using clock = std::chrono::steady_clock;

  /// `patience`: how long a thread spins, about.
  spinning_barrier(unsigned threads, clock::duration patience)
      : threads_(threads), patience_(patience) {}

  /// Waits until all threads have called it; what they wrote before is visible. Returns whether the
  /// thread's patience ended. Another thread is probably not running then: this one sleeps, so that
  /// the other gets its processor.
  bool wait() {
    const unsigned step = step_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      step_.store(step + 1, std::memory_order_release);
      return false;
    }
    // Most waits end before the clock is read.
    const auto spin = [&] {
      for (int times = 0; times < 32; ++times) {
        if (step_.load(std::memory_order_acquire) != step) return true;
        pause_processor();
      }
      return false;
    };
    if (spin()) return false;
    const auto start = clock::now();
    while (clock::now() - start < patience_)
      if (spin()) return false;
    while (step_.load(std::memory_order_acquire) == step)
      std::this_thread::sleep_for(sleeping_time);
    return true;
  }

 private:
  // Short beside the time slice of a scheduler, some milliseconds.
  static constexpr std::chrono::microseconds sleeping_time{50};

  const unsigned threads_;
  const clock::duration patience_;
  alignas(64) std::atomic<unsigned> arrived_{0};
  alignas(64) std::atomic<unsigned> step_{0};
};

}  // namespace tropic::detail::on_cpu
