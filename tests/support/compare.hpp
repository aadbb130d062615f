// SPDX-License-Identifier: Apache-2.0
#pragma once

// Exact comparison of results, pattern included: -0 equals +0 and NaN equals NaN.

#include <string>

#include "support/host_data.hpp"

namespace tropic::testing {

bool same_value(const type_description& type, const scalar_bytes& a, const scalar_bytes& b);
std::string to_text(const type_description& type, const scalar_bytes& value);

/// An empty text if they are equal; otherwise the first few differences.
std::string difference(const host_vector& expected, const host_vector& found);
std::string difference(const host_matrix& expected, const host_matrix& found);

}  // namespace tropic::testing
