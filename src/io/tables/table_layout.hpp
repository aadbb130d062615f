// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the first line of a table determines: the separator, the header, and which columns are read.

#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/fields.hpp"

namespace tropic::io::detail {

enum class role : std::uint8_t { ignored, source, target, weight };

struct table_layout {
  dialect fields;
  std::vector<role> roles;  ///< one per column; none if the text has no record
  bool weighted = false;
  std::string_view body;  ///< text after the header
  const char* first_line = nullptr;
  std::vector<std::string> first;  ///< fields of the first record
  bool has_header = false;
  std::size_t first_bytes = 0;  ///< bytes that `first` and `roles` hold
  /// Names of vertices look like names of columns: whether the first line is a header has to be
  /// checked against the rest of the file.
  bool check_first_line = false;
};

/// The separator and the other rules of a .csv or .tsv text.
dialect dialect_of(std::string_view text, file_format format, const read_options& options);

inline constexpr std::size_t most_columns = 65536;

/// For .csv and .tsv, and for edge lists of named vertices. Throws parse_failure if the first line
/// is ambiguous or has more than most_columns, out_of_memory if it does not fit the limit of the
/// options.
table_layout find_layout(std::string_view text, file_format format, const read_options& options);

}  // namespace tropic::io::detail
