// SPDX-License-Identifier: Apache-2.0
#pragma once

// The check of pairs of vertices, which algorithms take as two lists.

#include <span>
#include <string>

#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// Throws usage_error unless the lists have equal lengths and name vertices below n.
inline void check_pairs(const char* algorithm, index_t n, std::span<const index_t> from,
                        std::span<const index_t> to) {
  if (from.size() != to.size())
    throw usage_error(std::string(algorithm) + ": " + std::to_string(from.size()) +
                      " first vertices of pairs, " + std::to_string(to.size()) + " second ones");
  for (const auto& list : {from, to})
    for (const index_t v : list)
      if (v < 0 || v >= n)
        throw usage_error(std::string(algorithm) + ": vertex " + std::to_string(v) +
                          " of a pair, the graph has " + std::to_string(n) + " vertices");
}

}  // namespace tropic::detail
