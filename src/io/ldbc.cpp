// SPDX-License-Identifier: Apache-2.0

// LDBC Graphalytics: NAME.v with one vertex number per line, NAME.e with `FROM TO [WEIGHT]`.
//
// Vertex numbers are arbitrary 64-bit integers. Row numbers of the matrix are positions in their
// ascending order, and `vertex_ids` maps back (Graphalytics specification, section 2.5). The files
// do not state whether the graph is directed: read_options::undirected does.

#include <algorithm>

#include "io/entries.hpp"
#include "io/readers.hpp"

namespace tropic::io::detail {

namespace {

/// Vertices by their numbers: a subtraction if they are consecutive, otherwise binary search.
class mapped_vertices {
 public:
  explicit mapped_vertices(const std::vector<index_t>& ids)
      : ids_(ids),
        consecutive_(!ids.empty() && distance(ids.front(), ids.back()) == ids.size() - 1) {}

  std::uint32_t row(cursor& c) const { return take(c); }
  std::uint32_t column(cursor& c) const { return take(c); }

 private:
  /// Differences of 64-bit numbers need all 64 bits, unsigned.
  static std::uint64_t distance(index_t from, index_t to) {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  }

  std::uint32_t take(cursor& c) const {
    c.skip_space();
    cursor at = c;
    if (at.at_line_end()) c.fail("a vertex number");
    const auto id = number<index_t>(at, number_rule::integer);
    std::uint64_t position = 0;
    if (consecutive_) {
      position = distance(ids_.front(), id);
      if (id < ids_.front() || position >= ids_.size()) c.fail("a vertex of the graph");
    } else {
      const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
      if (found == ids_.end() || *found != id) c.fail("a vertex of the graph");
      position = static_cast<std::uint64_t>(found - ids_.begin());
    }
    c.at = at.at;
    return static_cast<std::uint32_t>(position);
  }

  const std::vector<index_t>& ids_;
  bool consecutive_;
};

index_t take_id(cursor& c) {
  c.skip_space();
  if (c.at_line_end()) c.fail("a vertex number");
  return number<index_t>(c, number_rule::integer);
}

void refuse_too_many(const std::vector<index_t>& ids, std::string_view text) {
  if (ids.size() > most_vertices)
    throw parse_failure{text.data(), std::to_string(ids.size()) + " vertices",
                        "at most " + std::to_string(most_vertices)};
}

std::vector<index_t> listed_vertices(std::string_view text, const read_options& options) {
  const data_lines lines =
      find_data_lines(text, comments_of(file_format::ldbc), job(options, 0.3, 0.32));
  const memory_room room(options);
  const auto require = [&](std::size_t copies) {
    room.require(bytes_for(lines.count(), copies * sizeof(index_t)), "reading the vertices",
                 bytes_for(lines.count(), (copies - 1) * sizeof(index_t)));
  };
  require(1);
  std::vector<index_t> ids(lines.count());
  for_each_data_line(lines, lines.count(), job(options, 0.32, 0.35), [&](cursor& c, std::size_t k) {
    ids[k] = take_id(c);
    c.finish_line();
  });
  refuse_too_many(ids, text);
  if (std::is_sorted(ids.begin(), ids.end(), std::less_equal<>()))
    return ids;  // strictly ascending
  require(2);
  std::vector<index_t> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    const auto once = std::find(ids.begin(), ids.end(), *twice);
    const auto again = std::find(once + 1, ids.end(), *twice);
    throw parse_failure{data_line_at(lines, text, static_cast<std::size_t>(again - ids.begin())),
                        "vertex " + std::to_string(*twice) + " again", "each vertex once"};
  }
  return sorted;
}

std::vector<index_t> occurring_vertices(const data_lines& edges, std::string_view text,
                                        const read_options& options) {
  // Both ends of each edge, and the list of distinct ones.
  memory_room(options).require(bytes_for(edges.count(), 4 * sizeof(index_t)),
                               "finding the vertices");
  std::vector<index_t> ids(2 * edges.count());
  for_each_data_line(edges, edges.count(), job(options, 0.35, 0.4), [&](cursor& c, std::size_t k) {
    ids[2 * k] = take_id(c);
    ids[2 * k + 1] = take_id(c);
    c.skip_line();
  });
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ids.shrink_to_fit();
  refuse_too_many(ids, text);
  return ids;
}

}  // namespace

coordinates read_ldbc(const std::string_view* vertices, std::string_view vertices_name,
                      std::string_view edges, std::string_view edges_name,
                      const read_options& options) {
  coordinates out;
  if (vertices)
    out.vertex_ids =
        with_lines(vertices_name, *vertices, [&] { return listed_vertices(*vertices, options); });
  with_lines(edges_name, edges, [&] {
    const comment_marks comments = comments_of(file_format::ldbc);
    const data_lines lines = find_data_lines(edges, comments, job(options, 0.35, 0.4));
    if (!vertices) out.vertex_ids = occurring_vertices(lines, edges, options);
    out.rows = out.columns = static_cast<index_t>(out.vertex_ids.size());
    cursor first(edges);
    out.pattern = true;
    if (next_data_line(first, comments)) {
      first.token();
      first.token();
      out.pattern = first.token().empty();
    }
    const mapped_vertices mapping(out.vertex_ids);
    const job parse(options, 0.4, 1);
    entry_layout layout;
    if (out.pattern) {
      layout.values = 0;
      out.type = options.type.value_or(type_code::boolean);
      parse_entries(lines, lines.count(), layout, mapping, out, parse);
    } else {
      parse_weights(lines, layout, mapping, out, options, parse);
    }
    make_undirected(out, edges_name, options);
  });
  return out;
}

}  // namespace tropic::io::detail
