// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiled programs of one runtime, each made once however many threads ask for it. Threads
// that want different programs compile at the same time. And the first thing that a program with
// records does: compare their layout with the host's.

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

  /// The program of that key, made by `make` where there is none. What `make` throws passes
  /// through, and the next caller tries again; a null that it returns is kept.
  const compiled_program* get(const std::string& key, const maker& make);
  /// Not while anybody is in get().
  void clear() { entries_.clear(); }

 private:
  struct entry {
    std::mutex mutex;
    bool is_ready = false;
    std::unique_ptr<compiled_program> program;
  };
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<entry>, std::less<>> entries_;
};

/// Runs the program's t_layout and throws device_error where a record's size or offsets are not
/// the host's. Nothing is done for a program without records.
void check_record_layout(device_runtime&, const device_program& source, const compiled_program&);

}  // namespace tropic::detail
