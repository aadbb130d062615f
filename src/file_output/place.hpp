// SPDX-License-Identifier: Apache-2.0
#pragma once

// The target of a name to write to. Links are followed here, component by component, so that a file
// which does not exist yet has a folder and a name, and an open descriptor is recognised.

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>

namespace tropic::files {

/// Closes its descriptor, unless it is -1.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~descriptor();

  int number() const { return number_; }
  /// Releases ownership: the caller closes the descriptor.
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

enum class kind {
  absent,   // no such file; a new one is created in the folder
  regular,  // replaced by a complete file
  special,  // a device, a pipe or a socket: opened and written to
  open      // a descriptor of this process: written to at its current position
};

/// Throws `NAME: cannot write: REASON` for an errno.
[[noreturn]] void refuse(const std::string& name, int reason);

/// Looks up a name to write to. Throws error or usage_error if it cannot be written to.
class place {
 public:
  explicit place(const std::filesystem::path& name);

  /// For messages: the name as given, or "standard output", "standard error".
  const std::string& name() const { return name_; }
  kind what() const { return kind_; }
  /// The descriptor of kind::open.
  int number() const { return number_; }
  /// The folder to open the file in by openat(); not for kind::open.
  int folder() const { return folder_.number(); }
  const std::string& file() const { return file_; }
  /// Status of the file; for kind::absent, of its folder.
  const struct stat& status() const { return status_; }

  bool is_terminal() const;
  /// Whether data written to one would overwrite or mix with data written to the other. A character
  /// device (a terminal, /dev/null) may be given under several names.
  bool is_same_file(const place& other) const;
  /// The same for a file that is open or read, given by its status.
  bool is_same_file(const struct stat& other) const;

 private:
  void found_descriptor(int number);
  void found_file(struct stat status);
  void check_regular() const;

  std::string name_;
  kind kind_ = kind::absent;
  int number_ = -1;
  descriptor folder_;
  std::string file_;
  struct stat status_ {};
};

}  // namespace tropic::files
