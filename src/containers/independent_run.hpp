// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace tropic::detail {

/// One of the computations that detail::run_independently executes at the same time, as the thread
/// of this one sees it. Callers get log and progress as from one computation: progress is that of
/// the calling thread's, and notices wait for the end of all.
struct independent_run {
  bool is_of_caller = false;
  /// Set when the calling thread's computation has failed: the others need not end.
  const std::atomic<bool>* is_over = nullptr;
  std::vector<std::string> notices;
};

/// That of this thread, null outside of run_independently.
inline independent_run*& this_independent_run() {
  thread_local independent_run* current = nullptr;
  return current;
}

}  // namespace tropic::detail
