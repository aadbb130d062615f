// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a file keeps when a complete one takes its place.

#include "files/place.hpp"

namespace tropic::files {

/// Gives the new, still empty file permissions, owner, group, access control list and extended
/// attributes of the one at `old`, which is kind::regular. Throws where it would be open to more
/// users than the old one.
void keep_attributes(const place& old, int file);

}  // namespace tropic::files
