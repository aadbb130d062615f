// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the first line of a table says: the separator, the header, and which columns are read.

#include <cstdint>
#include <string>
#include <vector>

#include "fields.hpp"

namespace tropic::io::detail {

enum class role : std::uint8_t { ignored, source, target, weight };

struct table_layout {
  dialect fields;
  std::vector<role> roles;  ///< one a column; none where the text has no record
  bool weighted = false;
  std::string_view body;  ///< behind the header
  const char* first_line = nullptr;
  std::vector<std::string> first;  ///< its fields
  bool has_header = false;
  std::size_t first_bytes = 0;  ///< that `first` and `roles` hold
  /// Names of vertices look like names of columns: what the first line was taken for has to agree
  /// with the rest of the file.
  bool check_first_line = false;
};

/// The separator and the rest of the dialect of a .csv or .tsv text.
dialect dialect_of(std::string_view text, file_format format, const read_options& options);

inline constexpr std::size_t most_columns = 65536;

/// For .csv and .tsv, and for edge lists of named vertices. Throws parse_failure where the first
/// line may mean more than one thing or has more than most_columns, out_of_memory where it does not
/// fit the options' limit.
table_layout find_layout(std::string_view text, file_format format, const read_options& options);

}  // namespace tropic::io::detail
