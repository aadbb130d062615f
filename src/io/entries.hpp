// SPDX-License-Identifier: Apache-2.0
#pragma once

// The line `[tag] row column [value [imaginary]]` and its parser, shared by Matrix Market, DIMACS,
// edge lists and LDBC. They differ in how a token becomes a vertex (`Vertices`) and in the few
// switches of entry_layout, which are constant within a file and therefore predicted well.
//
// Values are stored as bytes of the run-time type; with_builtin_type selects the loop once per
// chunk.

#include <cstring>
#include <string>
#include <tropic/io.hpp>

#include "io/digits.hpp"
#include "io/lines.hpp"
#include "io/memory.hpp"

namespace tropic::io::detail {

inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 32;

/// Vertices are numbers from `base`, with a known bound.
struct numbered_vertices {
  std::uint64_t rows = most_vertices;
  std::uint64_t columns = most_vertices;
  std::uint64_t base = 0;
  const char* noun = nullptr;  ///< instead of "row" and "column" in complaints

  std::uint32_t row(cursor& c) const { return take(c, rows, noun ? noun : "row"); }
  std::uint32_t column(cursor& c) const { return take(c, columns, noun ? noun : "column"); }

  std::uint32_t take(cursor& c, std::uint64_t bound, const char* what) const {
    c.skip_space();
    const char* const start = c.at;
    std::uint64_t number = 0;
    if (!natural(c, number) || number - base >= bound) {
      c.at = start;
      if (bound == 0) c.fail(std::string("no entries in a matrix with no ") + what + "s");
      c.fail(std::string("a ") + what + " number from " + std::to_string(base) + " to " +
             std::to_string(bound - 1 + base));
    }
    return static_cast<std::uint32_t>(number - base);
  }
};

enum class mirror_rule : std::uint8_t { none, same, negated, conjugated };

/// A value, or one of its parts, in the mirror image of its entry.
template <class T>
T mirrored(T value, mirror_rule rule, bool imaginary = false) {
  const bool flip = rule == mirror_rule::negated || (rule == mirror_rule::conjugated && imaginary);
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else
    return flip ? static_cast<T>(-value) : value;
}

struct entry_layout {
  char tag = '\0';  ///< the word that starts every line; '\0' for none
  int values = 1;   ///< numbers after the vertices: 0, 1, or 2 for complex
  number_rule rule = number_rule::real;
  mirror_rule mirror = mirror_rule::none;
};

/// The value of the mirror image, -value, must be representable in T.
template <class T>
void check_negatable(cursor& c, const char* start, T value) {
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    if (value == std::numeric_limits<T>::min()) {
      c.at = start;
      c.fail("a value whose negative fits the type");
    }
  }
}

/// The value of a token of at most seven digits; false for all others. Every type of 32 and 64 bits
/// holds it.
template <class T>
bool short_value(const char* at, int length, T& value) {
  if constexpr (sizeof(T) < 4) {
    return false;
  } else {
    const std::uint64_t word = word_at(at);
    if (length < 1 || length >= word_bytes || leading_digits(word) != length) return false;
    value = static_cast<T>(number_of_digits(word, length));
    return true;
  }
}

/// parse_entry for `row column [value]` with single blanks, in numbers of at most eight digits (a
/// value may be anything). All tokens are found at once, so that none waits for the one before it.
/// Otherwise, and for all errors, returns false and does not move.
template <class T>
bool parse_usual_entry(cursor& c, std::size_t k, const entry_layout& layout,
                       const numbered_vertices& vertices, coordinates& out, T* values) {
  const std::ptrdiff_t tag = layout.tag == '\0' ? 0 : 2;
  if (c.end - c.at < tag + row_bytes + word_bytes) return false;
  if (tag != 0 && (c.at[0] != layout.tag || c.at[1] != ' ')) return false;
  const char* const at = c.at + tag;
  std::uint32_t ends = ends_of_tokens(at);
  const int row_end = std::countr_zero(ends);
  ends &= ends - 1;
  const int column_end = std::countr_zero(ends);
  ends &= ends - 1;
  const int row_digits = row_end, column_digits = column_end - row_end - 1;
  if (row_digits < 1 || row_digits > word_bytes || column_digits < 1 || column_digits > word_bytes)
    return false;
  const std::uint64_t row_word = word_at(at), column_word = word_at(at + row_end + 1);
  if (leading_digits(row_word) < row_digits || leading_digits(column_word) < column_digits)
    return false;
  const std::uint64_t row = number_of_digits(row_word, row_digits) - vertices.base,
                      column = number_of_digits(column_word, column_digits) - vertices.base;
  if (at[row_end] != ' ' || row >= vertices.rows || column >= vertices.columns) return false;
  if (layout.values == 0) {
    if (at[column_end] != '\n') return false;
    c.at = at + column_end + 1;
  } else {
    if (at[column_end] != ' ') return false;
    const char* const token = at + column_end + 1;
    const int length = std::countr_zero(ends) - column_end - 1;
    if (ends != 0 && token[length] == '\n' && short_value(token, length, values[k])) {
      c.at = token + length + 1;
    } else {
      c.at = token;
      if (c.at_line_end() || is_space(*token)) {
        c.at = at - tag;
        return false;
      }
      values[k] = number<T>(c, layout.rule);
      c.finish_line();
    }
  }
  out.row[k] = static_cast<std::uint32_t>(row);
  out.column[k] = static_cast<std::uint32_t>(column);
  return true;
}

template <class T, class Vertices>
void parse_entry(cursor& c, std::size_t k, const entry_layout& layout, const Vertices& vertices,
                 coordinates& out, T* values) {
  if constexpr (std::is_same_v<Vertices, numbered_vertices>) {
    const bool is_plain = layout.values < 2 && layout.mirror <= mirror_rule::same;
    if (is_plain && parse_usual_entry(c, k, layout, vertices, out, values)) return;
  }
  if (layout.tag != '\0') {
    const std::string_view word = c.peek();
    if (word.size() != 1 || word[0] != layout.tag)
      c.fail(std::string("a line that starts with ") + quote({&layout.tag, 1}));
    ++c.at;
    c.skip_space();
  }
  const char* const start = c.at;
  const std::uint32_t row = vertices.row(c);
  const std::uint32_t column = vertices.column(c);
  if (layout.mirror == mirror_rule::negated && row <= column) {
    c.at = start;
    throw parse_failure{start,
                        "entry (" + std::to_string(row + 1) + ", " + std::to_string(column + 1) +
                            ") in a skew-symmetric matrix",
                        "a row greater than the column"};
  }
  out.row[k] = row;
  out.column[k] = column;
  for (int part = 0; part < layout.values; ++part) {
    c.skip_space();
    const char* const token = c.at;
    if (c.at_line_end()) c.fail("a value");
    const T value = number<T>(c, layout.rule);
    if (layout.mirror == mirror_rule::negated) check_negatable(c, token, value);
    values[k * static_cast<std::size_t>(layout.values) + static_cast<std::size_t>(part)] = value;
  }
  if (layout.mirror == mirror_rule::conjugated && row == column) {
    if (values[2 * k + 1] != T{0})
      throw parse_failure{start, "a diagonal entry that is not real in a hermitian matrix",
                          "a zero imaginary part"};
  }
  c.finish_line();
}

/// Throws out_of_memory unless the arrays of `out` can hold `count` entries.
void require_entries(const coordinates& out, std::size_t count, const std::string& what_for,
                     const job& work);

/// Sets the single value of a pattern.
inline void set_iso_one(coordinates& out) {
  out.values.assign(out.value_size(), std::byte{0});
  with_builtin_type(out.type, [&]<class T>() {
    const T one{1};
    std::memcpy(out.values.data(), &one, sizeof(T));
  });
}

/// Parses the first `limit` data lines into `out`, whose type, complex and pattern are set.
template <class Vertices>
void parse_entries(const data_lines& lines, std::size_t limit, const entry_layout& layout,
                   const Vertices& vertices, coordinates& out, const job& work) {
  const std::size_t copies = layout.mirror == mirror_rule::none ? 1 : 2;
  require_entries(out, bytes_for(limit, copies), "reading the entries", work);
  resize_entries(work, out, limit, copies);
  out.stored = static_cast<index_t>(limit);
  if (out.pattern) {
    set_iso_one(out);
    for_each_data_line(lines, limit, work, [&](cursor& c, std::size_t k) {
      parse_entry<std::uint8_t>(c, k, layout, vertices, out, nullptr);
    });
    return;
  }
  with_builtin_type(out.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(out.values.data());
    for_each_data_line(lines, limit, work, [&, values](cursor& c, std::size_t k) {
      parse_entry<T>(c, k, layout, vertices, out, values);
    });
  });
}

/// Sets out.type and calls parse(rule) for formats that do not state whether their weights are
/// integers: int64 if all are, otherwise fp64, unless a type was requested. An integer outside
/// int64 is rejected in a list of integers, a real number in a list that also has such integers,
/// wherever they occur.
template <class F>
void parse_integers_or_reals(coordinates& out, std::optional<type_code> type, F&& parse) {
  out.type = type.value_or(type_code::int64);
  try {
    return parse(type ? number_rule::real : number_rule::integer_or_retry);
  } catch (const parse_failure& failure) {
    if (!failure.real_number && !failure.large_integer) throw;
    out.type = type_code::fp64;
    bool has_reals = failure.real_number;
    if (!has_reals) {
      // With fp64, which accepts integers of any size, the first number rejected is a real one.
      try {
        parse(number_rule::integer_or_retry);
      } catch (const parse_failure& later) {
        has_reals = later.real_number;
      }
    }
    if (!has_reals) throw;
  }
  parse(number_rule::real);
}

/// Data lines whose weights are integers or real numbers.
template <class Vertices>
void parse_weights(const data_lines& lines, entry_layout layout, const Vertices& vertices,
                   coordinates& out, const read_options& options, const job& work) {
  parse_integers_or_reals(out, options.type, [&](number_rule rule) {
    layout.rule = rule;
    parse_entries(lines, lines.count(), layout, vertices, out, work);
  });
}

/// Appends the mirror images of the off-diagonal entries. Sets `symmetric` if they have equal
/// values.
void mirror_entries(coordinates& matrix, mirror_rule rule, const job& work);

/// --undirected: as above, for a square matrix that is not symmetric yet.
void make_undirected(coordinates& matrix, std::string_view name, const read_options& options);

/// rows = columns = the largest vertex + 1.
void size_by_largest_vertex(coordinates& matrix, const job& work);

}  // namespace tropic::io::detail
