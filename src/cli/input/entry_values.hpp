// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of entries that were read: whether they can be weights, and their conversion.

#include <string>

#include "cli/input/load.hpp"

namespace tropic::cli {

/// Whether all of the values can be weights.
bool are_weights(const void* values, type_code type, std::size_t count, const load_options&);

/// Throws input_error with the line of the first value that cannot be a weight.
void check_weights(const program& p, const std::string& file, const io::coordinates& from,
                   const load_options& options);

/// Gives the entries values of `type`: 1 if they have none. Throws usage_error if that may lose
/// digits, input_error with the line of a value that int64 cannot hold.
void set_type(const program& p, const std::string& file, io::coordinates& entries, type_code type);

}  // namespace tropic::cli
