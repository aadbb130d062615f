// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a name to write to stands for. Links are followed here, component by component, so that a
// file which does not exist yet has a folder and a name, and an open descriptor is recognised.

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>

namespace tropic::files {

/// Closes its descriptor; -1 is none.
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
  /// It is the caller's to close.
  int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

enum class kind {
  absent,   // a folder takes a new file of this name
  regular,  // replaced by a complete file
  special,  // a device, a pipe or a socket: opened and written to
  open      // a descriptor of this process: written to, at its position
};

/// Throws `NAME: cannot write: REASON` for an errno.
[[noreturn]] void refuse(const std::string& name, int reason);

/// A name to write to, looked up. Throws error or usage_error where it cannot be written to.
class place {
 public:
  explicit place(const std::filesystem::path& name);

  /// For messages: the name as it was given, or "standard output", "standard error".
  const std::string& name() const { return name_; }
  kind what() const { return kind_; }
  /// The number of kind::open.
  int number() const { return number_; }
  /// Where to open the file by openat(); unless kind::open.
  int folder() const { return folder_.number(); }
  const std::string& file() const { return file_; }
  /// Of the file; of kind::absent: its folder.
  const struct stat& status() const { return status_; }

  bool is_terminal() const;
  /// Whether what is written to one is lost or mixed with what is written to the other. Devices of
  /// characters (a terminal, /dev/null) may have several names.
  bool is_same_file(const place& other) const;
  /// The same for a file that is open or read; its status.
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
