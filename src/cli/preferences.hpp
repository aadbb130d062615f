// SPDX-License-Identifier: Apache-2.0
#pragma once

// The preferences of a personalised PageRank, from a file of vertices.

#include <string>

#include <tropic/vector.hpp>

#include "cli/load.hpp"

namespace tropic::cli {

/// --personalize FILE: `vertex weight` a line (without a weight: 1), blank lines and those that
/// start with # or % are skipped. Throws input_error naming the line.
vector<double> read_preferences(const context& where, const std::string& file,
                                const vertex_names& vertices);

}  // namespace tropic::cli
