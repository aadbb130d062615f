// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks of the lists of positions that assign and extract take.

#include <span>
#include <string>

#include "operations/checks.hpp"

namespace tropic::detail {

/// The positions of `list`, all if it is null. Throws for one that is out of range.
inline positions in_range(const char* name, const char* what, const std::span<const index_t>* list,
                          index_t size) {
  if (list == nullptr) return {};
  for (const index_t i : *list)
    if (i < 0 || i >= size)
      throw usage_error(std::string(name) + ": " + what + " " + std::to_string(i) + " of " +
                        std::to_string(size));
  return {false, *list};
}
inline index_t count(const positions& p, index_t size) {
  return p.all ? size : static_cast<index_t>(p.list.size());
}

/// For operations that copy values.
inline void check_same_type(const char* name, const char* what, const type_description& found,
                            const type_description& output) {
  if (!(found == output))
    throw usage_error(std::string(name) + ": " + what + " holds " + std::string(found.name) +
                      ", the output " + std::string(output.name));
}

}  // namespace tropic::detail
