// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled programs of one runtime; each is compiled once for any number of concurrent
// requests. Requests for different programs compile at the same time. The first launch of a program
// with records compares their layout with the host's.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "backends/device/runtime.hpp"

namespace tropic::detail {

class program_table {
 public:
  using maker = std::function<std::unique_ptr<compiled_program>()>;

  /// The program of that key, created by `make` if there is none. Exceptions of `make` are passed
  /// on, and the next caller tries again; a null that it returns is kept.
  const compiled_program* get(const std::string& key, const maker& make);
  /// Whether that program has been asked for.
  bool has(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return entries_.contains(key);
  }
  /// Must not run concurrently with get().
  void clear() { entries_.clear(); }

 private:
  struct entry {
    std::mutex mutex;
    std::atomic<bool> is_ready{false};  // then `program` stays as it is
    std::unique_ptr<compiled_program> program;
  };
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<entry>, std::less<>> entries_;
};

/// Runs the program's t_layout and throws device_error where a record's size or offsets are not
/// the host's. Nothing is done for a program without records.
void check_record_layout(device_runtime&, const device_program& source, const compiled_program&);

}  // namespace tropic::detail
