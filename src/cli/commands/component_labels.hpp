// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `tropic components` and `tropic strong-components` report of the components they find.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/output/report.hpp"

namespace tropic::cli {

/// The passes over the edges of so many rounds: one where edges were taken one by one.
inline index_t passes_of(index_t rounds) {
  return std::max<index_t>(rounds, 1);
}

/// The number of vertices of the largest set of those with one label.
inline index_t largest_of(const std::vector<index_t>& labels) {
  std::vector<index_t> size(labels.size());
  for (const index_t label : labels) ++size[static_cast<std::size_t>(label)];
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

/// Adds the numbers of components and of the vertices of the largest to the report; returns a line
/// of text.
inline std::string describe_components(index_t components, const std::vector<index_t>& labels,
                                       report& r) {
  const index_t largest = largest_of(labels);
  r.extra["components"] = components;
  r.extra["largest"] = largest;
  return fmt::format("found    {} component{}, the largest has {} of {} vertices\n",
                     grouped(components), components == 1 ? "" : "s", grouped(largest),
                     grouped(r.rows));
}

}  // namespace tropic::cli
