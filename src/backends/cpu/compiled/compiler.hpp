// SPDX-License-Identifier: Apache-2.0
#pragma once

// The C compiler of the machine, run as a process: by an argument vector, never by a shell, with
// its files in a private folder.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tropic::detail::on_cpu {

/// A new folder that only this user can enter, removed with its files. Throws error if none can be
/// made in $TMPDIR, otherwise /tmp.
class private_folder {
 public:
  private_folder();
  ~private_folder();
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class c_compiler {
 public:
  /// `name`: "auto" (cc, gcc or clang, the first one that is found), a name looked up in PATH, or a
  /// path. Throws error, with what was tried, if it does not run. `check` is called while a process
  /// runs; what it throws ends the process.
  c_compiler(const std::string& name, std::function<void()> check);

  /// Its name and version, and the architecture that it compiles for: programs with equal identity
  /// and text are equal.
  const std::string& identity() const { return identity_; }
  const std::string& options() const { return options_; }
  /// A shared library of the C program, as bytes. Throws error with the compiler's messages.
  std::vector<unsigned char> compile(const std::string& source) const;

 private:
  std::string name_, identity_, options_;
  std::function<void()> check_;
};

}  // namespace tropic::detail::on_cpu
