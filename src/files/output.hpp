// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one way in which files are written: results, matrices, pictures, calibrations, caches.
//
// A regular file is written beside its place and renamed when it is complete: what was there stays
// until then, with its permissions after it; other hard links to it keep the old content. A link
// stays and what it leads to is written, also where that does not exist yet. A device, a pipe and a
// descriptor of this process (/dev/stdout, /dev/fd/N) are written to as they are.

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

#include <tropic/error.hpp>

#include "files/place.hpp"

namespace tropic::files {

/// The reader of a pipe or socket is gone.
class output_closed : public error {
 public:
  using error::error;
};

/// Called when a signal interrupts a wait for a reader; may throw, which ends the wait.
using interruption = std::function<void()>;

/// Writes all of it, waiting where the descriptor does not; returns 0 or an errno.
int write_all(int descriptor, std::string_view bytes, const interruption& interrupted = {});

class output {
 public:
  /// Throws error or usage_error where `where` cannot be written to.
  explicit output(place where, interruption interrupted = {});
  ~output();  // without commit() a regular file stays as it was
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  const place& where() const;
  void write(std::string_view bytes);
  /// No more is written. Errors of the disk appear here at the latest.
  void finish();
  /// finish() if that is still to do; then the file gets its name.
  void commit();

 private:
  struct state;
  friend void commit(std::span<output* const> outputs);
  std::unique_ptr<state> state_;
};

/// Gives several files their names: all of them or, where one cannot have its name, none. A file
/// system that cannot exchange names may keep those that were given before.
void commit(std::span<output* const> outputs);

}  // namespace tropic::files
