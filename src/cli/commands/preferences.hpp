// SPDX-License-Identifier: Apache-2.0
#pragma once

// The preferences of a personalised PageRank, from a file of vertices.

#include <string>

#include <tropic/vector.hpp>

#include "cli/input/load.hpp"

namespace tropic::cli {

/// Before any work: throws usage_error where FILE of --personalize is standard input or a pipe that
/// the graph is read from.
void check_preferences(const std::string& file, const std::string& graph);

/// --personalize FILE: `vertex weight` a line (without a weight: 1), blank lines and those that
/// start with # or % are skipped. Throws input_error naming the line; out_of_memory; cancelled.
vector<double> read_preferences(const program& p, const context& where, const std::string& file,
                                const vertex_names& vertices);

}  // namespace tropic::cli
