// SPDX-License-Identifier: Apache-2.0
#pragma once

// An output, packed on its way (files/output.hpp says what becomes of names).

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "files/output.hpp"
#include "io/source.hpp"

namespace tropic::io::detail {

/// A regular file appears whole or not at all: commit() gives it its name in one step; without it
/// the destructor removes what was written.
class output_file {
 public:
  /// Packed as the ending of the place's name says.
  explicit output_file(files::place where, files::interruption interrupted = {});
  output_file(files::place where, compression how, files::interruption interrupted = {});
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  const files::place& where() const;
  void write(std::string_view bytes);
  /// Flushes and closes; errors of the disk surface here at the latest.
  void finish();
  /// finish() if that is still to do, then the new name.
  void commit();

 private:
  struct state;
  friend void commit(std::span<const std::unique_ptr<output_file>> files);
  std::unique_ptr<state> state_;
};

/// All of them get their names, or none does.
void commit(std::span<const std::unique_ptr<output_file>> files);

}  // namespace tropic::io::detail
