// SPDX-License-Identifier: Apache-2.0
#pragma once

// Resolves a path to a folder and a name in it that is no symbolic link.

#include <string>

#include "file_output/place.hpp"

namespace tropic::files {

struct walked {
  descriptor folder;  // O_PATH
  std::string file;   // empty if the path names a folder
  bool exists = false;
  struct stat status {};    // of the file, if it exists
  int own_descriptor = -1;  // the path leads to /proc/self/fd/N, and this is N
  bool is_foreign =
      false;  // it leads to the open file of another process: there is no name to rename to
};

/// Follows links, including dangling ones. Throws `NAME: cannot write: REASON`.
walked walk(const std::string& name);

}  // namespace tropic::files
