// SPDX-License-Identifier: Apache-2.0
#pragma once

// An output that is compressed while it is written (files/output.hpp explains how names are
// handled).

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "file_output/output.hpp"
#include "io/input/source.hpp"

namespace tropic::io::detail {

/// A regular file appears completely or not at all: commit() renames it in one step; without it the
/// destructor removes what was written.
class output_file {
 public:
  /// Compressed according to the ending of the name.
  explicit output_file(files::place where, files::interruption interrupted = {});
  output_file(files::place&& where, compression packing, files::interruption interrupted = {});
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  const files::place& where() const;
  void write(std::string_view bytes);
  /// Flushes and closes. Errors of the disk are reported here at the latest.
  void finish();
  /// Calls finish() if it was not called; then renames.
  void commit();

 private:
  struct state;
  friend void commit(std::span<const std::unique_ptr<output_file>> files);
  std::unique_ptr<state> state_;
};

/// All outputs get their names, or none does.
void commit(std::span<const std::unique_ptr<output_file>> files);

}  // namespace tropic::io::detail
