// SPDX-License-Identifier: Apache-2.0

// The line-oriented writers. Blocks of entries are formatted in parallel, a batch at a time, and
// written in order. Numbers are the shortest that read back to the same value.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "io/tables/vertex_numbers.hpp"
#include "io/writers.hpp"

namespace tropic::io::detail {

namespace {

constexpr std::size_t block_entries = std::size_t{1} << 14;

template <class T>
void append_number(std::string& line, T value) {
  char text[48];
  if constexpr (std::is_same_v<T, bool>) {
    line += value ? '1' : '0';
  } else {
    auto end = std::to_chars(text, text + sizeof text, value).ptr;
    if constexpr (std::is_floating_point_v<T>) {
      // With an exponent: readers take digits alone for an integer, whose range ends at 2^63.
      if (std::abs(value) >= T{9223372036854775808.0} && std::isfinite(value))
        end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    }
    line.append(text, end);
  }
}

/// Appends the value with this number of an array.
using value_writer = void (*)(std::string& line, const std::byte* values, std::size_t number);

template <class T>
void append_value(std::string& line, const std::byte* values, std::size_t number) {
  append_number(line, reinterpret_cast<const T*>(values)[number]);
}
value_writer writer_of(type_code type) {
  return with_builtin_type(type, []<class T>() -> value_writer { return append_value<T>; });
}

/// Formats `count` items in order: item(text, k) appends item k.
template <class F>
void write_items(std::size_t count, const write_options& options, const byte_sink& sink,
                 const F& item) {
  job work;
  work.threads = options.threads;
  const std::size_t blocks = (count + block_entries - 1) / block_entries;
  const std::size_t wave = static_cast<std::size_t>(work.thread_count()) * 4;
  std::vector<std::string> texts(std::min(wave, blocks));
  for (std::size_t first = 0; first < blocks; first += wave) {
    const std::size_t here = std::min(wave, blocks - first);
    for_each_task(here, work, [&](std::size_t b) {
      texts[b].clear();
      const std::size_t begin = (first + b) * block_entries;
      const std::size_t end = std::min(count, begin + block_entries);
      for (std::size_t k = begin; k < end; ++k) item(texts[b], k);
    });
    for (std::size_t b = 0; b < here; ++b) sink(texts[b]);
    if (options.progress &&
        !options.progress(static_cast<double>(first + here) / static_cast<double>(blocks)))
      throw cancelled();
  }
}

struct entry_style {
  std::string_view tag{};       ///< before every entry
  std::uint64_t base = 0;       ///< added to vertices
  bool values = false;          ///< whether to print values; a pattern prints its single value
  bool lower_triangle = false;  ///< omit entries above the diagonal
  const std::vector<index_t>* ids = nullptr;  ///< names instead of row and column numbers
  const name_table* names = nullptr;          ///< likewise for the columns
  char separator = ' ';
};

/// Whether a reader of tables takes the unquoted text for one whole field.
bool is_bare_field(std::string_view text) {
  return !text.empty() && text[0] != '#' && !is_space(text.front()) && !is_space(text.back()) &&
         text.find_first_of("\",;\t\r\n") == std::string_view::npos &&
         !text.starts_with(byte_order_mark);
}

/// A name; in tables in quotes if necessary.
void append_name(std::string& line, std::string_view text, char separator) {
  if (separator == ' ' || is_bare_field(text)) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

/// The column titles of a table. A reader recognises these words as a header if none of them is a
/// vertex; '_' is ignored in known words.
std::array<std::string, 2> headings(const name_table* names) {
  std::array<std::string, 2> ends{"source", "target"};
  while (names && (names->find(ends[0]) || names->find(ends[1])))
    for (std::string& word : ends) word += '_';
  return ends;
}

void write_entries(const coordinates& m, const entry_style& style, const write_options& options,
                   const byte_sink& sink) {
  const std::size_t parts = m.complex ? 2 : 1;
  const auto vertex = [&](std::string& line, std::uint32_t v) {
    if (style.names)
      append_name(line, (*style.names)[v], style.separator);
    else if (style.ids)
      append_number(line, (*style.ids)[v]);
    else
      append_number(line, v + style.base);
  };
  const value_writer append_value = writer_of(m.type);
  write_items(m.row.size(), options, sink, [&](std::string& line, std::size_t k) {
    if (style.lower_triangle && m.row[k] < m.column[k]) return;
    line += style.tag;
    vertex(line, m.row[k]);
    line += style.separator;
    vertex(line, m.column[k]);
    for (std::size_t part = 0; style.values && part < parts; ++part) {
      line += style.separator;
      append_value(line, m.values.data(), (m.pattern ? 0 : k) * parts + part);
    }
    line += '\n';
  });
}

void write_comment(std::string_view mark, const write_options& options, const byte_sink& sink) {
  std::string_view rest = options.comment;
  while (!rest.empty()) {
    const std::size_t newline = std::min(rest.find('\n'), rest.size());
    sink(std::string(mark).append(rest.substr(0, newline)).append("\n"));
    rest.remove_prefix(std::min(newline + 1, rest.size()));
  }
}

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
  throw usage_error(std::string(name) + ": " + why);
}

void require_square(const coordinates& m, std::string_view name) {
  if (m.rows != m.columns)
    refuse(name, "this format holds graphs, and the matrix is " + std::to_string(m.rows) + "x" +
                     std::to_string(m.columns));
  if (m.complex) refuse(name, "this format has no complex values");
}

std::string matrix_market_head(const coordinates& m, const write_options& options) {
  const std::string_view field = m.pattern             ? "pattern"
                                 : m.complex           ? "complex"
                                 : is_floating(m.type) ? "real"
                                                       : "integer";
  std::string head = "%%MatrixMarket matrix coordinate ";
  head.append(field).append(m.symmetric ? " symmetric\n" : " general\n");
  std::string_view type = describe(m.type).name;
  std::string name(type);
  if (m.type == type_code::fp32)
    name = "float";
  else if (m.type == type_code::fp64)
    name = "double";
  else if (m.type != type_code::boolean)
    name += "_t";
  if (m.complex) name += " complex";
  head.append("%%GraphBLAS type ").append(name).append("\n");
  write_comment("% ", options, [&](std::string_view text) { head += text; });
  std::size_t listed = m.row.size();
  if (m.symmetric)
    for (std::size_t k = 0; k < m.row.size(); ++k) listed -= m.row[k] < m.column[k];
  return head + std::to_string(m.rows) + " " + std::to_string(m.columns) + " " +
         std::to_string(listed) + "\n";
}

void write_metis(const coordinates& m, std::string_view name, const write_options& options,
                 const byte_sink& sink) {
  if (!m.symmetric) refuse(name, "a METIS file holds undirected graphs only");
  const bool weights = m.weighted() && !options.drop_values;
  if (weights) check_holds_values(file_format::metis, m.type, name);
  for (std::size_t k = 0; k < m.row.size(); ++k)
    if (m.row[k] == m.column[k])
      refuse(name,
             "a METIS file holds no loops, and vertex " + std::to_string(m.row[k]) + " has one");
  const std::vector<std::size_t> order = row_major_order(m, options.threads);
  write_comment("% ", options, sink);
  sink(std::to_string(m.rows) + " " + std::to_string(order.size() / 2) + (weights ? " 1\n" : "\n"));
  const value_writer append_value = writer_of(m.type);
  write_items(
      static_cast<std::size_t>(m.rows), options, sink, [&](std::string& line, std::size_t r) {
        auto k = std::lower_bound(order.begin(), order.end(), r,
                                  [&](std::size_t e, std::size_t row) { return m.row[e] < row; });
        for (const char* gap = ""; k != order.end() && m.row[*k] == r; ++k, gap = " ") {
          line += gap;
          append_number(line, m.column[*k] + std::uint64_t{1});
          if (!weights) continue;
          line += ' ';
          append_value(line, m.values.data(), *k);
        }
        line += '\n';
      });
}

}  // namespace

void check_holds_values(file_format format, type_code type, std::string_view name) {
  if (format == file_format::edge_list)
    refuse(name, "an .el file holds no weights (a .wel file does; --drop-values leaves them out)");
  if (!is_floating(type)) return;
  if (format == file_format::metis) refuse(name, "a METIS file holds integer weights only");
  if (format == file_format::dimacs) refuse(name, "a .gr file holds integer weights only");
}

void check_holds_names(file_format format, std::string_view name) {
  const bool holds = format == file_format::csv || format == file_format::tsv ||
                     format == file_format::edge_list ||
                     format == file_format::weighted_edge_list || format == file_format::snap;
  if (!holds)
    refuse(name,
           "this format holds no names of vertices (.csv, .tsv and edge lists do; --drop-names "
           "numbers them)");
}

void check_names(const coordinates& m, file_format format, std::string_view name,
                 const write_options& options) {
  if (m.vertex_names.empty() || options.drop_names) return;
  check_holds_names(format, name);
  if (format == file_format::csv || format == file_format::tsv) return;
  for (std::size_t v = 0; v < m.vertex_names.size(); ++v)
    if (!fits_edge_list(m.vertex_names[v]))
      refuse(name, "an edge list cannot hold the name " + quote(m.vertex_names[v]) +
                       " (.csv and .tsv can)");
}

void write_lines(const coordinates& m, file_format format, std::string_view name,
                 const write_options& options, const byte_sink& sink) {
  check_coordinates(m, name);
  entry_style style;
  style.values = m.weighted();
  if (format == file_format::matrix_market) {
    sink(matrix_market_head(m, options));
    style.base = 1;
    style.lower_triangle = m.symmetric;
    return write_entries(m, style, options, sink);
  }
  require_square(m, name);
  if (format == file_format::metis) return write_metis(m, name, options, sink);
  if (format == file_format::dimacs) {
    if (m.weighted()) check_holds_values(format, m.type, name);
    write_comment("c ", options, sink);
    sink("p sp " + std::to_string(m.rows) + " " + std::to_string(m.row.size()) + "\n");
    style.tag = "a ";
    style.base = 1;
    style.values = true;
    return write_entries(m, style, options, sink);
  }
  write_comment("# ", options, sink);
  if (!m.vertex_names.empty() && !options.drop_names) style.names = &m.vertex_names;
  if (format == file_format::csv || format == file_format::tsv) {
    style.separator = format == file_format::csv ? ',' : '\t';
    const std::array<std::string, 2> ends = headings(style.names);
    sink(ends[0] + style.separator + ends[1] +
         (style.values ? std::string(1, style.separator) + "weight\n" : "\n"));
  }
  if (format == file_format::weighted_edge_list) style.values = true;
  if (format == file_format::edge_list) {
    if (m.weighted() && !options.drop_values) check_holds_values(format, m.type, name);
    style.values = false;
  }
  write_entries(m, style, options, sink);
}

void write_ldbc_vertices(const coordinates& m, const write_options& options,
                         const byte_sink& sink) {
  write_items(
      static_cast<std::size_t>(m.rows), options, sink, [&](std::string& line, std::size_t v) {
        append_number(line, m.vertex_ids.empty() ? static_cast<index_t>(v) + m.first_vertex_id
                                                 : m.vertex_ids[v]);
        line += '\n';
      });
}

void write_ldbc_edges(const coordinates& m, std::string_view name, const write_options& options,
                      const byte_sink& sink) {
  check_coordinates(m, name);
  require_square(m, name);
  entry_style style;
  style.values = m.weighted();
  style.base = static_cast<std::uint64_t>(m.first_vertex_id);
  if (!m.vertex_ids.empty()) style.ids = &m.vertex_ids;
  write_entries(m, style, options, sink);
}

}  // namespace tropic::io::detail
