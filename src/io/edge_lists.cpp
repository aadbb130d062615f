// SPDX-License-Identifier: Apache-2.0

// Formats with one edge per line: DIMACS `.gr`, `.el`, `.wel` and SNAP's `.txt`.
//
//   .gr    `c` comments, one `p sp VERTICES EDGES`, then `a FROM TO WEIGHT`, 1-based, integers
//          (9th DIMACS Implementation Challenge, file formats)
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

struct dimacs_header {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::string_view body;
};

dimacs_header read_dimacs_header(std::string_view text) {
  cursor c(text);
  if (!next_data_line(c, comments_of(file_format::dimacs)))
    throw parse_failure{c.at, text.empty() ? "an empty file" : "the end of the file",
                        "'p sp VERTICES EDGES'"};
  const char* const line = c.at;
  if (c.token() != "p" || c.token() != "sp") {
    c.at = line;
    c.fail("'p sp VERTICES EDGES'");
  }
  dimacs_header header;
  header.vertices = header_number(c, "vertices", most_vertices);
  header.edges = header_number(c, "edges", std::numeric_limits<std::int64_t>::max());
  c.finish_line();
  header.body = text.substr(static_cast<std::size_t>(c.at - text.data()));
  return header;
}

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

std::string_view dimacs_body(std::string_view text) {
  return read_dimacs_header(text).body;
}

coordinates read_dimacs(std::string_view text, std::string_view name, const read_options& options,
                        row_placer* placer) {
  const dimacs_header header = read_dimacs_header(text);
  coordinates out;
  out.rows = out.columns = static_cast<index_t>(header.vertices);
  out.type = options.type.value_or(type_code::int64);
  out.first_vertex_id = 1;
  entry_layout layout;
  layout.tag = 'a';
  layout.rule = number_rule::integer;
  const comment_marks comments = comments_of(file_format::dimacs);
  const numbered_vertices vertices{header.vertices, header.vertices, 1, "vertex"};
  const data_lines lines = placer != nullptr
                               ? placer->scan(out, header.body, comments, layout, vertices, options)
                               : find_data_lines(header.body, comments, job(options, 0.3, 0.4));
  const std::string promised = std::to_string(header.edges);
  const auto check_count = [&] {
    if (lines.count() > header.edges)
      throw parse_failure{data_line_at(lines, header.body, header.edges),
                          "a line after the last edge",
                          "the end of the file after " + promised + " edges"};
    if (lines.count() < header.edges)
      throw parse_failure{text.data() + text.size(),
                          "the end of the file after " + std::to_string(lines.count()) + " edges",
                          promised};
  };
  const std::size_t count = std::min<std::size_t>(lines.count(), header.edges);
  job parse(options, 0.4, 1);
  if (placer != nullptr) {
    const entry_text body{lines, count, layout, vertices};
    if (placer->wants(count) && placer->place_all(out, body, options, check_count)) return out;
    parse = job(options, placer->progress, 1);
  }
  parse_entries(lines, count, layout, vertices, out, parse);
  check_count();
  make_undirected(out, name, options);
  return out;
}

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
