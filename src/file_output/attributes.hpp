// SPDX-License-Identifier: Apache-2.0
#pragma once

// The attributes of a file that are kept when a complete file replaces it.

#include "file_output/place.hpp"

namespace tropic::files {

/// Gives the new, still empty file the permissions, owner, group, access control list and extended
/// attributes of the file at `old`, which is kind::regular. Throws if the new file would be
/// accessible to more users than the old one.
void keep_attributes(const place& old, int file);

}  // namespace tropic::files
