// SPDX-License-Identifier: Apache-2.0

// DIMACS's `.gr`: `c` comments, one `p sp VERTICES EDGES`, then `a FROM TO WEIGHT`, 1-based,
// integers (9th DIMACS Implementation Challenge, file formats).

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

}  // namespace tropic::io::detail
