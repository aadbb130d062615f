// SPDX-License-Identifier: Apache-2.0
#pragma once

// Temporary changes of a test to its environment: folders and environment variables.

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace tropic::testing {

/// A folder that is removed by the destructor.
class temporary_folder {
 public:
  temporary_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tropic-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Sets an environment variable and restores it.
class environment_variable {
 public:
  environment_variable(const char* name, const std::string& value) : name_(name) {
    if (const char* held = getenv(name)) before_ = held, was_set_ = true;
    setenv(name, value.c_str(), 1);
  }
  ~environment_variable() {
    if (was_set_)
      setenv(name_, before_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

}  // namespace tropic::testing
