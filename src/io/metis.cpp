// SPDX-License-Identifier: Apache-2.0

// METIS `.graph`: a header `VERTICES EDGES [FMT [NCON]]`, then one line of neighbours per vertex.
//
// FMT is up to three binary digits: vertex sizes, NCON vertex weights, edge weights (METIS 5.1
// manual, section 4.5). Sizes and vertex weights are checked and dropped. A blank line is a vertex
// without neighbours; '%' starts a comment line. Two dialects are distinguished by the content:
//
//   - METIS lists every edge from both ends (loops once or twice). This is verified, including
//     weights. The GAP suite writes directed graphs: as many neighbours as the header has edges.
//   - The 10th DIMACS challenge and GAP set the first digit if loops or parallel edges may
//     occur, and write no sizes. Sizes are assumed only if no line is blank and the count fits.

#include <algorithm>

#include "io/entries.hpp"
#include "io/readers.hpp"
#include "io/symmetry.hpp"

namespace tropic::io::detail {

namespace {

struct metis_header {
  const char* line = nullptr;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  bool may_have_sizes = false;
  std::uint64_t vertex_weights = 0;
  bool edge_weights = false;
  std::string_view body;
};

metis_header read_metis_header(std::string_view text) {
  cursor c(text);
  if (!next_data_line(c, comments_of(file_format::metis)))
    throw parse_failure{c.at, text.empty() ? "an empty file" : "the end of the file",
                        "a line with the numbers of vertices and edges"};
  metis_header header;
  header.line = c.at;
  header.vertices = header_number(c, "vertices", most_vertices);
  header.edges = header_number(c, "edges", std::uint64_t{1} << 62);
  c.skip_space();
  if (!c.at_line_end()) {
    const std::string_view format = c.peek();
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos)
      c.fail("a format of up to three digits 0 and 1");
    c.at += format.size();
    const auto digit = [&](std::size_t from_right) {
      return format.size() > from_right && format[format.size() - 1 - from_right] == '1';
    };
    header.edge_weights = digit(0);
    header.vertex_weights = digit(1) ? 1 : 0;
    header.may_have_sizes = digit(2);
    c.skip_space();
    if (!c.at_line_end()) {
      const std::uint64_t count = header_number(c, "weights per vertex", 1U << 20);
      if (digit(1)) header.vertex_weights = count;
    }
  }
  c.finish_line();
  header.body = text.substr(static_cast<std::size_t>(c.at - text.data()));
  return header;
}

/// Moves past comments to the next vertex line (blank ones are vertices); false at the end.
bool next_vertex_line(cursor& c) {
  while (c.at != c.end) {
    cursor ahead = c;
    ahead.skip_space();
    if (ahead.at == ahead.end || *ahead.at != '%') return true;
    c.skip_line();
  }
  return false;
}

/// Counts of a chunk: vertex lines, and neighbours if its lines have no sizes or if they have
/// sizes.
struct chunk_count {
  std::uint64_t lines = 0;
  std::uint64_t without_sizes = 0;
  std::uint64_t with_sizes = 0;
  bool blank = false;
};

chunk_count count_chunk(std::string_view text, const metis_header& header) {
  chunk_count count;
  const std::uint64_t per_neighbour = header.edge_weights ? 2 : 1;
  for (cursor c(text); next_vertex_line(c); c.skip_line()) {
    std::uint64_t tokens = 0;
    while (!c.token().empty()) ++tokens;
    const std::uint64_t rest = tokens - std::min(tokens, header.vertex_weights);
    count.without_sizes += rest / per_neighbour;
    count.with_sizes += (rest - std::min<std::uint64_t>(rest, 1)) / per_neighbour;
    count.blank = count.blank || tokens == 0;
    ++count.lines;
  }
  return count;
}

struct vertex_line {
  std::uint64_t leading;  ///< sizes and vertex weights
  bool edge_weights;
  std::uint64_t vertices;
};

/// A mapped file may change between counting and reading its neighbours.
[[noreturn]] void refuse_changed(const cursor& c) {
  throw parse_failure{c.at, "a file that changes while it is read", "an unchanged file"};
}

template <class T>
std::size_t parse_vertex(cursor& c, std::uint64_t vertex, const vertex_line& layout, std::size_t k,
                         std::size_t end, coordinates& out, T* values) {
  c.skip_space();
  if (vertex >= layout.vertices) {
    if (!c.at_line_end())
      throw parse_failure{
          c.at, "a line after the last vertex",
          "the end of the file after " + std::to_string(layout.vertices) + " vertices"};
    c.skip_line();
    return k;
  }
  for (std::uint64_t i = 0; i < layout.leading; ++i) {
    c.skip_space();
    if (c.at_line_end()) c.fail("a vertex weight or size");
    number<std::int64_t>(c, number_rule::integer);
  }
  const numbered_vertices neighbours{layout.vertices, layout.vertices, 1, "vertex"};
  for (c.skip_space(); !c.at_line_end(); c.skip_space()) {
    const std::uint32_t neighbour = neighbours.column(c);
    T weight{};
    if (layout.edge_weights) {
      c.skip_space();
      if (c.at_line_end()) c.fail("the weight of an edge");
      weight = number<T>(c, number_rule::integer);
    }
    if (k == end) refuse_changed(c);
    if (layout.edge_weights) values[k] = weight;
    out.row[k] = static_cast<std::uint32_t>(vertex);
    out.column[k] = neighbour;
    ++k;
  }
  c.finish_line();
  return k;
}

std::uint64_t key_of(std::uint32_t row, std::uint32_t column) {
  return std::uint64_t{row} << 32 | column;
}

/// Reports an edge that is not listed from both ends.
[[noreturn]] void refuse_asymmetric(std::string_view text, const coordinates& m, const job& work) {
  work.memory.beside(bytes_held(m)).require(bytes_for(m.row.size(), 8), "comparing both ends");
  std::vector<std::uint64_t> keys(m.row.size());
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = key_of(m.row[k], m.column[k]);
  std::sort(keys.begin(), keys.end());
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const auto times = [&](std::uint64_t key) {
      const auto range = std::equal_range(keys.begin(), keys.end(), key);
      return range.second - range.first;
    };
    if (times(key_of(m.row[k], m.column[k])) == times(key_of(m.column[k], m.row[k]))) continue;
    throw parse_failure{metis_vertex_line(text, m.row[k]),
                        "vertex " + std::to_string(m.column[k] + 1U) + " as a neighbour of " +
                            std::to_string(m.row[k] + 1U) + " more or less often than the reverse",
                        "every edge listed from both ends"};
  }
  throw parse_failure{read_metis_header(text).line, "edges whose weights differ between their ends",
                      "the same weight at both ends"};
}

/// Compares the number of neighbours with the header. Returns true if the file lists edges from
/// both ends.
bool is_undirected(const coordinates& m, const metis_header& header) {
  const std::uint64_t listed = m.row.size();
  if (listed == 2 * header.edges) return true;
  if (listed == header.edges) return false;
  std::uint64_t loops = 0;
  for (std::size_t k = 0; k < m.row.size(); ++k) loops += m.row[k] == m.column[k];
  if (listed + loops == 2 * header.edges) return true;
  throw parse_failure{header.line, std::to_string(listed) + " neighbours in total",
                      std::to_string(2 * header.edges) + " (" + std::to_string(header.edges) +
                          " edges from both ends)"};
}

}  // namespace

const char* metis_vertex_line(std::string_view text, std::uint32_t vertex) {
  cursor c(read_metis_header(text).body);
  for (std::uint64_t v = 0; next_vertex_line(c); ++v, c.skip_line())
    if (v == vertex) return c.at;
  throw parse_failure{c.at, "the end of the file",
                      "vertex " + std::to_string(vertex + 1U) + ", which was there before"};
}

coordinates read_metis(std::string_view text, std::string_view name, const read_options& options) {
  const metis_header header = read_metis_header(text);
  const job counting(options, 0.3, 0.5), parsing(options, 0.5, 1);
  const std::vector<std::string_view> chunks = split_lines(header.body, counting);
  std::vector<chunk_count> counts(chunks.size());
  for_each_task(chunks.size(), counting,
                [&](std::size_t i) { counts[i] = count_chunk(chunks[i], header); });

  chunk_count total;
  for (const chunk_count& c : counts) {
    total.lines += c.lines;
    total.without_sizes += c.without_sizes;
    total.with_sizes += c.with_sizes;
    total.blank = total.blank || c.blank;
  }
  if (total.lines < header.vertices && total.without_sizes < header.edges)
    throw parse_failure{text.data() + text.size(),
                        "the end of the file after " + std::to_string(total.lines) + " vertices",
                        std::to_string(header.vertices)};
  const bool sizes = header.may_have_sizes && !total.blank &&
                     (total.with_sizes == 2 * header.edges || total.with_sizes == header.edges);

  coordinates out;
  out.rows = out.columns = static_cast<index_t>(header.vertices);
  out.pattern = !header.edge_weights;
  out.type = options.type.value_or(out.pattern ? type_code::boolean : type_code::int64);
  const std::size_t entries = sizes ? total.with_sizes : total.without_sizes;
  require_entries(out, entries, "reading the neighbours", parsing);
  out.row.resize(entries);
  out.column.resize(entries);
  out.stored = static_cast<index_t>(entries);
  if (out.pattern)
    set_iso_one(out);
  else
    out.values.resize(entries * out.value_size());

  std::vector<std::uint64_t> first_line(chunks.size() + 1, 0), first_entry(chunks.size() + 1, 0);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    first_line[i + 1] = first_line[i] + counts[i].lines;
    first_entry[i + 1] = first_entry[i] + (sizes ? counts[i].with_sizes : counts[i].without_sizes);
  }
  const vertex_line layout{header.vertex_weights + (sizes ? 1 : 0), header.edge_weights,
                           header.vertices};
  with_builtin_type(out.type, [&]<class T>() {
    auto* const values = reinterpret_cast<T*>(out.values.data());
    for_each_task(chunks.size(), parsing, [&, values](std::size_t i) {
      std::uint64_t vertex = first_line[i];
      std::size_t k = first_entry[i];
      for (cursor c(chunks[i]); next_vertex_line(c); ++vertex)
        k = parse_vertex(c, vertex, layout, k, first_entry[i + 1], out, values);
    });
  });
  if (is_undirected(out, header)) {
    if (!is_symmetric(out, options.threads)) refuse_asymmetric(text, out, parsing);
    out.symmetric = true;
  }
  make_undirected(out, name, options);
  return out;
}

}  // namespace tropic::io::detail
