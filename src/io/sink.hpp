// SPDX-License-Identifier: Apache-2.0
#pragma once

// A file that appears whole or not at all.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tropic::io::detail {

/// Writes to a new file beside `path`, packed if the ending of `path` says so. commit() gives it
/// its name in one step; without it the destructor removes what was written.
class output_file {
 public:
  explicit output_file(std::filesystem::path path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::string_view bytes);
  /// Flushes and closes; errors of the disk surface here at the latest.
  void finish();
  /// finish() if that is still to do, then the new name.
  void commit();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tropic::io::detail
