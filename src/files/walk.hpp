// SPDX-License-Identifier: Apache-2.0
#pragma once

// The way from a name to a folder and a name in it that is no link.

#include <string>

#include "files/place.hpp"

namespace tropic::files {

struct walked {
  descriptor folder;  // O_PATH
  std::string file;   // empty where the name is that of a folder
  bool exists = false;
  struct stat status {};    // of the file, where it exists
  int own_descriptor = -1;  // the name leads to /proc/self/fd/N, whose N this is
  bool is_foreign = false;  // it leads to another process's open file: no name to rename to
};

/// Follows links, also those that dangle. Throws `NAME: cannot write: REASON`.
walked walk(const std::string& name);

}  // namespace tropic::files
