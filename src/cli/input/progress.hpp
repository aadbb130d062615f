// SPDX-License-Identifier: Apache-2.0
#pragma once

// The progress of reading and writing: a bar on standard error, if that is a terminal and the
// operation takes longer than a second. Ctrl+C stops the operation here.

#include <mutex>
#include <string>
#include <string_view>

#include <tropic/io.hpp>

#include "cli/program.hpp"
#include "cli/timer.hpp"

namespace tropic::cli {

class load_progress {
 public:
  load_progress(const program& p, std::string_view label);
  ~load_progress();
  load_progress(const load_progress&) = delete;
  load_progress& operator=(const load_progress&) = delete;

  /// The function that readers and generators call; refers to this object.
  io::progress_function function();

 private:
  void draw(double fraction);

  const program& program_;
  std::string label_;
  clock::time_point start_ = clock::now(), last_drawn_ = start_;
  bool visible_;
  bool drawn_ = false;
  std::mutex mutex_;
};

}  // namespace tropic::cli
