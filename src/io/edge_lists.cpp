// SPDX-License-Identifier: Apache-2.0

// Formats with one edge per line: `.el`, `.wel` and SNAP's `.txt`.
//
//   .el    `FROM TO`;  .wel  `FROM TO WEIGHT`, 0-based  (GAP Benchmark Suite)
//   .txt   `FROM TO` or `FROM TO WEIGHT`, as in its first line; '#' comments  (SNAP)
//
// Edge lists do not state the number of vertices: it is the largest number in use + 1. Weights are
// int64 if all are integers, otherwise fp64. Both '#' and '%' (KONECT) start comments.

#include "io/entries.hpp"
#include "io/placed_rows.hpp"
#include "io/readers.hpp"

namespace tropic::io::detail {

namespace {

/// Whether the first data line has three numbers, the third being a weight.
bool first_line_is_weighted(std::string_view text, comment_marks comments) {
  cursor c(text);
  if (!next_data_line(c, comments)) return false;
  c.token();
  c.token();
  return !c.token().empty();
}

/// Places the entries of an edge list, if the placer takes them.
bool place_edges(coordinates& out, entry_text text, const read_options& options,
                 row_placer& placer) {
  if (!out.pattern) {
    // Real numbers among the weights make all of them real, whatever the integers are.
    if (!placer.seems_integral()) text.layout.rule = number_rule::real;
    out.type = options.type.value_or(placer.seems_integral() ? type_code::int64 : type_code::fp64);
  }
  return placer.place_after(
      options,
      [&](const job& work) {
        if (out.pattern) return placer.count(out, text, work);
        parse_integers_or_reals(out, options.type, [&](number_rule rule) {
          text.layout.rule = rule;
          placer.count(out, text, work);
        });
      },
      [&](const job& work) {
        out.rows = out.columns = static_cast<index_t>(placer.vertices());
        return placer.place(out, text, work);
      });
}

}  // namespace

coordinates read_edge_list(std::string_view text, file_format format, std::string_view name,
                           const read_options& options, row_placer* placer) {
  const comment_marks comments = comments_of(format);
  if (text.empty()) throw parse_failure{text.data(), "an empty file", "a list of edges"};
  coordinates out;
  out.pattern = format == file_format::edge_list ||
                (format == file_format::snap && !first_line_is_weighted(text, comments));
  entry_layout layout;
  numbered_vertices vertices;
  vertices.noun = "vertex";
  if (out.pattern) {
    layout.values = 0;
    out.type = options.type.value_or(type_code::boolean);
  } else if (!options.type) {
    layout.rule = number_rule::integer_or_retry;
  }
  const data_lines lines = placer != nullptr
                               ? placer->scan(out, text, comments, layout, vertices, options)
                               : find_data_lines(text, comments, job(options, 0.3, 0.4));
  job parse(options, 0.4, 1);
  if (placer != nullptr) {
    if (placer->wants(lines.count()) &&
        place_edges(out, {lines, lines.count(), layout, vertices}, options, *placer))
      return out;
    parse = job(options, placer->progress, 1);
  }
  if (out.pattern)
    parse_entries(lines, lines.count(), layout, vertices, out, parse);
  else
    parse_weights(lines, layout, vertices, out, options, parse);
  size_by_largest_vertex(out, parse);
  make_undirected(out, name, options);
  return out;
}

}  // namespace tropic::io::detail
