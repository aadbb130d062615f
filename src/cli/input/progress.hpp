// SPDX-License-Identifier: Apache-2.0
#pragma once

// The progress of a load: a bar on standard error where that is a terminal and the load takes
// longer than a second, and the place where Ctrl+C stops it.

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include <tropic/io.hpp>

#include "cli/program.hpp"

namespace tropic::cli {

class load_progress {
 public:
  load_progress(const program& p, std::string_view label);
  ~load_progress();
  load_progress(const load_progress&) = delete;
  load_progress& operator=(const load_progress&) = delete;

  /// What readers and generators call; refers to this object.
  io::progress_function function();

 private:
  using clock = std::chrono::steady_clock;
  void draw(double fraction);

  const program& program_;
  std::string label_;
  clock::time_point start_ = clock::now(), last_drawn_ = start_;
  bool visible_;
  bool drawn_ = false;
  std::mutex mutex_;
};

/// Seconds since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace tropic::cli
