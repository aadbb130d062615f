// SPDX-License-Identifier: Apache-2.0
#pragma once

// From names in a text to vertex numbers. Every chunk numbers the names that it meets in a table of
// its own; then all tables are joined: names are sorted byte by byte, and numbers given in that
// order. So the numbers depend on the set of names alone, not on chunks, threads or the order of
// lines. O(names log names); a name is compared in place, where it stands in the text.

#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <tropic/name_table.hpp>
#include <vector>

#include "fields.hpp"

namespace tropic::io::detail {

/// The names of one chunk, numbered as they come.
class local_names {
 public:
  /// Throws parse_failure for a field that is no name; `opens_line`: it is the first of its line.
  std::uint32_t number(const field& f, const dialect& d, bool opens_line);
  const std::vector<std::string_view>& all() const { return names_; }

 private:
  void grow();

  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> slots_;          // number + 1; 0: free
  std::forward_list<std::string> unescaped_;  // what does not stand in the text as it is
};

struct joined_names {
  name_table table;
  std::vector<std::vector<std::uint32_t>> numbers;  ///< of each local table's names
};

joined_names join(const std::vector<local_names>& tables, const job& how);

/// Whether a reader of edge lists takes the name for itself: no blanks, no comment.
bool fits_edge_list(std::string_view name);

}  // namespace tropic::io::detail
