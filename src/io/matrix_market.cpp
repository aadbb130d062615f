// SPDX-License-Identifier: Apache-2.0

// Matrix Market entries: coordinate and array, all fields and symmetries.
//
// A data line is any line that is neither blank nor a comment, so comments may occur between
// entries. Exactly as many data lines as the header states are read; the first extra line, or the
// end of a file with too few, is an error. For a stored triangle the mirror images are appended
// after the entries of the file; diagonal entries are listed once.

#include "io/entries.hpp"
#include "io/matrix_market_header.hpp"
#include "io/placed_rows.hpp"
#include "io/readers.hpp"

namespace tropic::io::detail {

namespace {

constexpr comment_marks comments{'%', '\0'};

mirror_rule mirror_of(mm_symmetry symmetry) {
  switch (symmetry) {
    case mm_symmetry::general: break;
    case mm_symmetry::symmetric: return mirror_rule::same;
    case mm_symmetry::skew_symmetric: return mirror_rule::negated;
    case mm_symmetry::hermitian: return mirror_rule::conjugated;
  }
  return mirror_rule::none;
}

/// Walks the positions of an array file: column by column, beginning `skip` rows below the diagonal
/// if only a triangle is stored.
struct array_walk {
  std::uint64_t rows;
  bool triangle;
  std::uint64_t skip;  ///< 1 for the strict triangle
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::size_t next = 0;

  /// The number of values in the columns before `c`.
  std::uint64_t before(std::uint64_t c) const {
    if (!triangle) return c * rows;
    return c * (rows - skip) - c * (c == 0 ? 0 : c - 1) / 2;
  }
  std::uint64_t top(std::uint64_t c) const { return triangle ? c + skip : 0; }

  void seek(std::size_t k, std::uint64_t columns) {
    std::uint64_t low = 0, high = columns;  // the last column that begins at or before k
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (before(middle) <= k ? low : high) = middle;
    }
    column = low;
    row = top(low) + (k - before(low));
    next = k;
  }
  void advance() {
    ++next;
    if (++row == rows) row = top(++column);
  }
};

void read_array(const mm_header& header, const data_lines& lines, const entry_layout& layout,
                coordinates& out, const job& work) {
  const std::size_t count = std::min<std::size_t>(lines.count(), header.entries);
  const std::size_t copies = layout.mirror == mirror_rule::none ? 1 : 2;
  require_entries(out, bytes_for(count, copies), "reading an array", work);
  resize_entries(work, out, count, copies);
  out.stored = static_cast<index_t>(count);
  const bool strict = header.symmetry == mm_symmetry::skew_symmetric;
  const array_walk start{header.rows, header.symmetry != mm_symmetry::general, strict ? 1U : 0U, 0,
                         0,           std::numeric_limits<std::size_t>::max()};
  const auto parts = static_cast<std::size_t>(layout.values);
  with_builtin_type(out.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(out.values.data());
    for_each_data_line(
        lines, count, work, [&, values, walk = start](cursor& c, std::size_t k) mutable {
          if (walk.next != k) walk.seek(k, header.columns);
          out.row[k] = static_cast<std::uint32_t>(walk.row);
          out.column[k] = static_cast<std::uint32_t>(walk.column);
          const char* const line = c.at;
          for (std::size_t part = 0; part < parts; ++part) {
            c.skip_space();
            const char* const token = c.at;
            if (c.at_line_end()) c.fail("a value");
            values[k * parts + part] = number<T>(c, layout.rule);
            if (strict) check_negatable(c, token, values[k * parts + part]);
          }
          if (layout.mirror == mirror_rule::conjugated && walk.row == walk.column &&
              values[k * parts + 1] != T{0})
            throw parse_failure{line, "a diagonal entry that is not real in a hermitian matrix",
                                "a zero imaginary part"};
          c.finish_line();
          walk.advance();
        });
  });
}

/// An array is full, so the diagonal that a skew-symmetric array omits is listed as zeros.
void append_zero_diagonal(coordinates& out, const job& work) {
  const std::size_t total = out.row.size() + static_cast<std::size_t>(out.rows);
  // The arrays may be copied once while they grow.
  require_entries(out, bytes_for(total, 2), "the diagonal of an array", work);
  for (index_t i = 0; i < out.rows; ++i) {
    out.row.push_back(static_cast<std::uint32_t>(i));
    out.column.push_back(static_cast<std::uint32_t>(i));
  }
  out.values.resize(out.row.size() * out.value_size());
}

}  // namespace

std::string_view matrix_market_body(std::string_view text) {
  return read_mm_header(text, true).body;
}

coordinates read_matrix_market(std::string_view text, std::string_view name,
                               const read_options& options, row_placer* placer) {
  const mm_header header = read_mm_header(text, options.lenient);
  coordinates out;
  out.rows = static_cast<index_t>(header.rows);
  out.columns = static_cast<index_t>(header.columns);
  out.complex = header.field == mm_field::complex;
  out.pattern = header.field == mm_field::pattern;
  out.type = options.type.value_or(header.type);
  if (out.complex && options.type && !is_floating(*options.type))
    throw usage_error(std::string(name) + ": complex values cannot be read as " +
                      std::string(describe(*options.type).name));
  entry_layout layout;
  layout.values = out.pattern ? 0 : out.complex ? 2 : 1;
  // SuiteSparse writes `integer` for floating-point types whose values happen to be integers or
  // infinite.
  layout.rule =
      header.type == type_code::boolean && header.field != mm_field::pattern && !options.type
          ? number_rule::truth
      : header.field == mm_field::integer && !is_floating(header.type) ? number_rule::integer
                                                                       : number_rule::real;
  layout.mirror = mirror_of(header.symmetry);
  if (layout.mirror == mirror_rule::negated &&
      !(is_signed_integer(out.type) || is_floating(out.type)))
    throw usage_error(std::string(name) + ": a skew-symmetric matrix cannot be read as " +
                      std::string(describe(out.type).name));

  const numbered_vertices vertices{header.rows, header.columns, 1};
  const bool may_place = placer != nullptr && header.layout == mm_layout::coordinate;
  const data_lines lines = may_place
                               ? placer->scan(out, header.body, comments, layout, vertices, options)
                               : find_data_lines(header.body, comments, job(options, 0.3, 0.4));
  const std::string unit = header.layout == mm_layout::array ? " values" : " entries";
  const std::string promised = std::to_string(header.entries);
  const auto check_count = [&] {
    if (lines.count() > header.entries)
      throw parse_failure{data_line_at(lines, header.body, header.entries),
                          "a line after the last entry",
                          "the end of the file after " + promised + unit};
    if (lines.count() < header.entries)
      throw parse_failure{text.data() + text.size(),
                          "the end of the file after " + std::to_string(lines.count()) + unit,
                          promised};
  };
  const std::size_t count = std::min<std::size_t>(lines.count(), header.entries);
  job parse(options, 0.4, 1);
  if (header.layout == mm_layout::array) {
    read_array(header, lines, layout, out, parse);
  } else {
    if (may_place) {
      const entry_text body{lines, count, layout, vertices};
      if (placer->wants(count) && placer->place_all(out, body, options, check_count)) return out;
      parse = job(options, placer->progress, 1);
    }
    parse_entries(lines, count, layout, vertices, out, parse);
  }
  check_count();

  mirror_entries(out, layout.mirror, parse);
  if (header.layout == mm_layout::array && layout.mirror == mirror_rule::negated)
    append_zero_diagonal(out, parse);
  make_undirected(out, name, options);
  return out;
}

}  // namespace tropic::io::detail
