// SPDX-License-Identifier: Apache-2.0
#pragma once

// Records and fields: the layer below tables (.csv, .tsv) and edge lists of named vertices.
//
// A record is a line, or several if a quoted field contains newlines (RFC 4180). A quoted field
// begins with '"', and '""' in it means a quote. Blanks around a field are not part of it; those
// inside quotes are. As in lines.hpp a text is cut into chunks, here at the ends of records: a
// first pass counts the records, so that the second pass knows where their entries go. Without
// quotes in the text every newline ends a record; with quotes one sequential pass finds the ends.

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/lines.hpp"

namespace tropic::io::detail {

/// What separates fields, and which lines are comments.
struct dialect {
  char separator = ',';  ///< ' ': any white space
  bool quotes = true;
  comment_marks comments{'#', '\0'};
  /// '#' directly followed by other text may be the beginning of a name: it is rejected, not taken
  /// for a comment.
  bool named = false;

  bool is_blank(char c) const { return is_space(c) && (c != separator || c == ' '); }
  bool ends_field(char c) const {
    return c == '\n' || (separator == ' ' ? is_space(c) : c == separator);
  }
};

struct field {
  const char* at = nullptr;  ///< for error messages
  std::string_view text;     ///< without surrounding blanks and the outer quotes
  bool quoted = false;
  bool doubled = false;  ///< `text` contains '""' for '"'

  std::string value() const;
};

/// Moves to the beginning of the next record that is neither blank nor a comment; false at the end.
/// A record of separators alone is blank.
bool next_record(cursor& c, const dialect& d);
/// Moves past the record that begins here. Never fails: errors are found when it is parsed.
void skip_record(cursor& c, const dialect& d);
/// The field that begins here. The cursor moves to the separator or the end of the record.
field take_field(cursor& c, const dialect& d);
/// After a field: moves to the next one of the record, or past the record and returns false.
bool next_field(cursor& c, const dialect& d);

struct records {
  std::vector<std::string_view> chunks;
  std::vector<std::size_t> first;  ///< number of the first record of each chunk, then the total

  std::size_t count() const { return first.back(); }
};

records find_records(std::string_view body, const dialect& d, const job& work);
/// The position of record k of `body`. Throws parse_failure if there are fewer records.
const char* record_at(const records& all, std::string_view body, const dialect& d, std::size_t k);

}  // namespace tropic::io::detail
