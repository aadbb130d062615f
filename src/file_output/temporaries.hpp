// SPDX-License-Identifier: Apache-2.0
#pragma once

// The temporary files that currently exist, so that a signal that ends the process can remove them
// first: destructors do not run in that case.

#include <string>

namespace tropic::files {

/// Records one temporary file. If the table is full, it has no effect.
class temporary_note {
 public:
  temporary_note() = default;
  ~temporary_note() { clear(); }
  temporary_note(const temporary_note&) = delete;
  temporary_note& operator=(const temporary_note&) = delete;

  /// The file need not exist yet. `folder` must stay open until the record is cleared.
  void set(int folder, const std::string& name);
  void clear() noexcept;

 private:
  int slot_ = -1;
};

/// Removes all recorded files. May be called by a signal handler.
void remove_temporaries() noexcept;

}  // namespace tropic::files
