// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records and fields: the layer below tables (.csv, .tsv) and edge lists of named vertices.
//
// A record is a line, or several where a field in quotes holds newlines (RFC 4180). A field in
// quotes begins with '"' and has '""' for a quote inside. Blanks round a field do not belong to it,
// those inside quotes do. As in lines.hpp a text is cut into chunks, here at the ends of records; a
// first pass counts them, so that a second one knows where its entries go. Without quotes in the
// text any newline ends a record; with quotes one sequential pass finds the ends.

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "lines.hpp"

namespace tropic::io::detail {

/// What stands between fields, and which lines are comments.
struct dialect {
  char separator = ',';  ///< ' ': any white space
  bool quotes = true;
  comment_marks comments{'#', '\0'};
  /// '#' directly before other text may be the beginning of a name: no comment, but refused.
  bool named = false;

  bool is_blank(char c) const { return is_space(c) && (c != separator || c == ' '); }
  bool ends_field(char c) const {
    return c == '\n' || (separator == ' ' ? is_space(c) : c == separator);
  }
};

struct field {
  const char* at = nullptr;  ///< for complaints
  std::string_view text;     ///< without blanks and the outer quotes
  bool quoted = false;
  bool doubled = false;  ///< `text` has '""' for '"'

  std::string value() const;
};

/// Moves to the beginning of the next record that is neither blank nor a comment; false at the end.
/// Separators alone make a blank record.
bool next_record(cursor& c, const dialect& d);
/// Moves behind the record that begins here. Never fails: what is wrong shows when it is parsed.
void skip_record(cursor& c, const dialect& d);
/// The field that begins here; the cursor then stands on the separator or the end of the record.
field take_field(cursor& c, const dialect& d);
/// Behind a field: moves to the next one of the record, or behind the record and gives false.
bool next_field(cursor& c, const dialect& d);

struct records {
  std::vector<std::string_view> chunks;
  std::vector<std::size_t> first;  ///< number of the first record of each chunk, then the total

  std::size_t count() const { return first.back(); }
};

records find_records(std::string_view body, const dialect& d, const job& how);
/// Where record k of `body` begins, whose records these are. Throws parse_failure if it has fewer.
const char* record_at(const records& all, std::string_view body, const dialect& d, std::size_t k);

}  // namespace tropic::io::detail
