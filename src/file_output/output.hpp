// SPDX-License-Identifier: Apache-2.0
#pragma once

// How all files are written: results, matrices, pictures, calibrations, caches.
//
// A regular file is written under a temporary name beside its target and renamed when it is
// complete. Until then the old file is unchanged; afterwards the new one has its permissions. Other
// hard links to the old file keep the old content. Symbolic links are followed and kept, even if
// their target does not exist yet. Devices, pipes and descriptors of this process (/dev/stdout,
// /dev/fd/N) are written to directly.

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

#include <tropic/error.hpp>

#include "file_output/place.hpp"

namespace tropic::files {

/// The reader of a pipe or socket is gone.
class output_closed : public error {
 public:
  using error::error;
};

/// Called when a signal interrupts the wait for a reader. May throw, which ends the wait.
using interruption = std::function<void()>;

/// Writes all bytes, waiting if the descriptor is non-blocking. Returns 0 or an errno.
int write_all(int descriptor, std::string_view bytes, const interruption& interrupted = {});

class output {
 public:
  /// Throws error or usage_error if `where` cannot be written to.
  explicit output(place where, interruption interrupted = {});
  ~output();  // without commit() a regular file is left unchanged
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  const place& where() const;
  void write(std::string_view bytes);
  /// Ends writing. Errors of the disk are reported here at the latest.
  void finish();
  /// Calls finish() if it was not called; then gives the file its name.
  void commit();

 private:
  struct state;
  friend void commit(std::span<output* const> outputs);
  std::unique_ptr<state> state_;
};

/// Gives several files their names. If one of them fails, none is replaced, provided that the file
/// system can exchange names; otherwise files renamed earlier keep their new names.
void commit(std::span<output* const> outputs);

}  // namespace tropic::files
