// SPDX-License-Identifier: Apache-2.0
#pragma once

// The temporary files that exist at the moment, so that a signal that ends the process can remove
// them first: destructors do not run then.

#include <string>

namespace tropic::files {

/// The note of one temporary file. Where too many are noted, it has no effect.
class temporary_note {
 public:
  temporary_note() = default;
  ~temporary_note() { clear(); }
  temporary_note(const temporary_note&) = delete;
  temporary_note& operator=(const temporary_note&) = delete;

  /// `folder` stays open until the note is cleared.
  void set(int folder, const std::string& name);
  void clear() noexcept;

 private:
  int slot_ = -1;
};

/// Removes all that are noted. A signal handler may call it.
void remove_temporaries() noexcept;

}  // namespace tropic::files
