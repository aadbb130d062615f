// SPDX-License-Identifier: Apache-2.0

// The Matrix Market header: banner, comments, SuiteSparse's `%%GraphBLAS type` line, sizes.
//
// Follows "The Matrix Market Exchange Formats" (Boisvert, Pozo, Remington, NIST IR 5935) and, where
// that leaves a choice, LAGraph's reader: a file without a banner is real and general, and an array
// if its size line has two numbers. Meaningless combinations are rejected at their position.

#include "io/matrix_market_header.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "io/entries.hpp"

namespace tropic::io::detail {

namespace {

constexpr std::string_view banner = "%%MatrixMarket";

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

template <class Choice, std::size_t Count>
Choice choose(cursor& c, const std::array<std::pair<std::string_view, Choice>, Count>& choices) {
  c.skip_space();
  const std::string_view word = c.peek();
  for (const auto& [name, choice] : choices) {
    if (!equal_ignoring_case(word, name)) continue;
    c.at += word.size();
    return choice;
  }
  std::string expected;
  for (std::size_t i = 0; i < Count; ++i) {
    if (i > 0) expected += i + 1 == Count ? " or " : ", ";
    expected += choices[i].first;
  }
  c.fail(expected);
}

void read_banner(cursor& c, mm_header& header) {
  choose<int>(c, std::array{std::pair{std::string_view("matrix"), 0}});
  header.layout = choose<mm_layout>(
      c, std::array{std::pair{std::string_view("coordinate"), mm_layout::coordinate},
                    std::pair{std::string_view("array"), mm_layout::array}});
  c.skip_space();
  const char* const field = c.at;
  header.field =
      choose<mm_field>(c, std::array{std::pair{std::string_view("real"), mm_field::real},
                                     std::pair{std::string_view("integer"), mm_field::integer},
                                     std::pair{std::string_view("complex"), mm_field::complex},
                                     std::pair{std::string_view("pattern"), mm_field::pattern}});
  if (header.layout == mm_layout::array && header.field == mm_field::pattern)
    throw parse_failure{field, "'pattern'", "values in an array (a pattern is a coordinate file)"};
  c.skip_space();
  const char* const symmetry = c.at;
  header.symmetry = choose<mm_symmetry>(
      c, std::array{std::pair{std::string_view("general"), mm_symmetry::general},
                    std::pair{std::string_view("symmetric"), mm_symmetry::symmetric},
                    std::pair{std::string_view("skew-symmetric"), mm_symmetry::skew_symmetric},
                    std::pair{std::string_view("hermitian"), mm_symmetry::hermitian}});
  if (header.symmetry == mm_symmetry::hermitian && header.field != mm_field::complex)
    throw parse_failure{symmetry, "'hermitian'",
                        "general or symmetric where values are not complex"};
  if (header.symmetry == mm_symmetry::skew_symmetric && header.field == mm_field::pattern)
    throw parse_failure{symmetry, "'skew-symmetric'", "general or symmetric in a pattern"};
  c.finish_line();
  header.type = header.field == mm_field::integer   ? type_code::int64
                : header.field == mm_field::pattern ? type_code::boolean
                                                    : type_code::fp64;
}

struct graphblas_type {
  std::string_view name;
  type_code code;
  bool complex = false;
};
constexpr std::array<graphblas_type, 13> graphblas_types{{
    {"bool", type_code::boolean},
    {"int8_t", type_code::int8},
    {"int16_t", type_code::int16},
    {"int32_t", type_code::int32},
    {"int64_t", type_code::int64},
    {"uint8_t", type_code::uint8},
    {"uint16_t", type_code::uint16},
    {"uint32_t", type_code::uint32},
    {"uint64_t", type_code::uint64},
    {"float", type_code::fp32},
    {"double", type_code::fp64},
    {"float complex", type_code::fp32, true},
    {"double complex", type_code::fp64, true},
}};

/// A line that begins with `%%GraphBLAS`. Only `type` is used.
void read_graphblas_line(cursor c, mm_header& header) {
  c.token();
  if (c.token() != "type") return;
  c.skip_space();
  const char* const at = c.at;
  std::string name(c.token());
  for (std::string_view word = c.token(); !word.empty(); word = c.token())
    name.append(" ").append(word);
  const auto type = std::find_if(graphblas_types.begin(), graphblas_types.end(),
                                 [&](const graphblas_type& t) { return t.name == name; });
  if (type == graphblas_types.end())
    throw parse_failure{at, "the type " + quote(name),
                        "bool, int8_t to int64_t, uint8_t to uint64_t, float, double, float "
                        "complex or double complex"};
  if (type->complex != (header.field == mm_field::complex))
    throw parse_failure{at, "the type " + quote(name),
                        type->complex ? "a real type, as the values are not complex"
                                      : "a complex type, as the values are complex"};
  const bool has_negatives = is_signed_integer(type->code) || is_floating(type->code);
  if (header.symmetry == mm_symmetry::skew_symmetric && !has_negatives)
    throw parse_failure{at, "the type " + quote(name), "a signed type in a skew-symmetric matrix"};
  header.type = type->code;
}

std::uint64_t read_size(cursor& c, const std::string& what, std::uint64_t limit) {
  c.skip_space();
  const char* const at = c.at;
  std::uint64_t value = 0;
  if (!natural(c, value)) {
    const std::string_view token = c.peek();
    c.fail(is_integer_token(token) && token[0] != '-'
               ? "at most " + std::to_string(limit) + " " + what
               : "the number of " + what);
  }
  if (value > limit) {
    c.at = at;
    c.fail("at most " + std::to_string(limit) + " " + what);
  }
  return value;
}

/// Data lines of an array: all of it, or the stored triangle.
std::uint64_t array_length(const mm_header& h, const char* at) {
  const std::uint64_t n = h.rows, half = n / 2;
  // n <= 2^32, so only the product for a full array can exceed 64 bits.
  std::uint64_t length = 0;
  switch (h.symmetry) {
    case mm_symmetry::general:
      if (__builtin_mul_overflow(h.rows, h.columns, &length))
        throw parse_failure{at, "an array of more than 2^64 values", "a smaller array"};
      return length;
    case mm_symmetry::skew_symmetric: return n == 0 ? 0 : (n % 2 ? n * half : (n - 1) * half);
    case mm_symmetry::symmetric:
    case mm_symmetry::hermitian: break;
  }
  return n % 2 ? n * (half + 1) : (n + 1) * half;
}

}  // namespace

mm_header read_mm_header(std::string_view text, bool lenient) {
  cursor c(text);
  mm_header header;
  if (text.empty()) throw parse_failure{c.at, "an empty file", "'%%MatrixMarket matrix ...'"};
  bool has_banner = true;
  const std::string_view first = c.peek();
  if (equal_ignoring_case(first, banner) ||
      (lenient && equal_ignoring_case(first, banner.substr(1)))) {
    c.at += first.size();
    read_banner(c, header);
  } else if (equal_ignoring_case(first, banner.substr(1))) {
    c.fail("'%%MatrixMarket' (a lenient read takes a single '%')");
  } else {
    has_banner = false;
  }

  for (;;) {
    c.skip_space();
    if (c.at == c.end)
      throw parse_failure{c.at, "the end of the file", "a line with the size of the matrix"};
    if (*c.at == '%') {
      if (c.peek() == "%%GraphBLAS") read_graphblas_line(c, header);
    } else if (*c.at != '\n') {
      break;
    }
    c.skip_line();
  }
  if (!has_banner && !is_digit(*c.at)) c.fail("'%%MatrixMarket matrix ...'");

  const char* const size_line = c.at;
  header.rows = read_size(c, "rows", most_vertices);
  header.columns = read_size(c, "columns", most_vertices);
  c.skip_space();
  if (!has_banner && c.at_line_end()) header.layout = mm_layout::array;
  if (header.symmetry != mm_symmetry::general && header.rows != header.columns)
    throw parse_failure{size_line,
                        "a matrix of " + std::to_string(header.rows) + " rows and " +
                            std::to_string(header.columns) + " columns",
                        "as many rows as columns in a matrix with symmetry"};
  header.entries = header.layout == mm_layout::array
                       ? array_length(header, size_line)
                       : read_size(c, "entries", std::numeric_limits<std::int64_t>::max());
  c.finish_line();
  header.body = text.substr(static_cast<std::size_t>(c.at - text.data()));
  return header;
}

}  // namespace tropic::io::detail
