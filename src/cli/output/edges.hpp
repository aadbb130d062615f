// SPDX-License-Identifier: Apache-2.0
#pragma once

// Edges of undirected graphs as text: a line `from to value` for each, by `from` and then by `to`.

#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <tropic/matrix.hpp>

#include "cli/input/load.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

/// The entries above the diagonal.
template <value_type T>
std::string edge_lines(const vertex_names& vertices, const matrix<T>& edges) {
  fmt::memory_buffer lines;
  const auto coo = edges.to_coo();
  for (std::size_t e = 0; e < coo.rows.size(); ++e) {
    if (coo.columns[e] <= coo.rows[e]) continue;
    vertices.append(lines, coo.rows[e]);
    lines.push_back(' ');
    vertices.append(lines, coo.columns[e]);
    lines.push_back(' ');
    append(lines, coo.values[e]);
    lines.push_back('\n');
  }
  return fmt::to_string(lines);
}

}  // namespace tropic::cli
