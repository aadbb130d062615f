// SPDX-License-Identifier: Apache-2.0
#pragma once

// The vertices with the largest values, for the report of a command.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/input/load.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

/// A table of the ten vertices with the largest values, ties by number; the same in `json`, with
/// `name` as the key of the value.
inline std::string top_ten(const vertex_names& vertices, const std::vector<double>& value,
                           const std::string& name, nlohmann::ordered_json& json) {
  std::vector<std::size_t> order(value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min<std::size_t>(10, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return value[a] != value[b] ? value[a] > value[b] : a < b;
                    });
  std::vector<std::vector<std::string>> rows{{"vertex", name}};
  json = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < count; ++n) {
    const auto vertex = static_cast<index_t>(order[n]);
    rows.push_back({vertices.label(vertex), fmt::format("{:.6g}", value[order[n]])});
    json.push_back({{"vertex", vertices.json(vertex)}, {name, value[order[n]]}});
  }
  return table(rows);
}

}  // namespace tropic::cli
