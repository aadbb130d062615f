// SPDX-License-Identifier: Apache-2.0

// Selects the reader for a path: by the ending, then by the content. Failures of readers get their
// file and line here.

#include <algorithm>
#include <new>

#include "io/binary/binary_format.hpp"
#include "io/input/source.hpp"
#include "io/lines.hpp"
#include "io/memory.hpp"
#include "io/placed_rows.hpp"
#include "io/readers.hpp"

namespace tropic::io {

namespace {

/// The content of some formats is unmistakable; it takes precedence over an ending like `.txt`.
std::optional<file_format> sniff(std::string_view text) {
  const auto& magic = detail::binary_header::expected_magic;
  if (text.size() >= magic.size() &&
      std::equal(magic.begin(), magic.end(), text.begin(),
                 [](unsigned char a, char b) { return a == static_cast<unsigned char>(b); }))
    return file_format::binary;
  if (text.starts_with("%%MatrixMarket") || text.starts_with("%MatrixMarket"))
    return file_format::matrix_market;
  return std::nullopt;
}

void check_options(std::string_view name, file_format format, const read_options& options) {
  const auto refuse = [&](const std::string& why) {
    throw usage_error(std::string(name) + ": " + why);
  };
  if (options.type == type_code::record) refuse("files hold built-in types, not records");
  const bool table = format == file_format::csv || format == file_format::tsv;
  const bool edges = format == file_format::edge_list ||
                     format == file_format::weighted_edge_list || format == file_format::snap;
  if (options.names && !table && !edges)
    refuse(
        "found --names, expected a format with names of vertices: .csv, .tsv, .el, .wel or .txt");
  const char* const of_tables = options.header != header_rule::automatic ? "--header"
                                : !options.columns.empty()               ? "--columns"
                                : options.separator != '\0'              ? "--separator"
                                                                         : nullptr;
  if (of_tables && !table)
    refuse(std::string("found ") + of_tables + ", expected it only with .csv or .tsv");
  if (!options.columns.empty() && (options.columns.size() < 2 || options.columns.size() > 3))
    refuse("--columns: found " + std::to_string(options.columns.size()) +
           ", expected source, target and perhaps weight");
  if (options.separator == '"' || options.separator == '\n' || options.separator == '\r' ||
      options.separator == '#' || options.separator == ' ')
    refuse("--separator: found " + detail::quote({&options.separator, 1}) +
           ", expected a character like ',' or ';'");
}

/// The other half of an LDBC graph beside `path`: the one with the same compression, which is how
/// both are written, or the only one that exists. If there are several with other compressions,
/// they may belong to other graphs.
std::filesystem::path partner_of(const std::filesystem::path& path, std::string_view ending) {
  std::filesystem::path plain = detail::plain_name(path);
  plain.replace_extension(ending);
  std::filesystem::path same = plain;
  if (detail::compression_of(path) != packing::none) same += path.extension();
  std::error_code ignored;
  if (std::filesystem::exists(same, ignored)) return same;
  std::vector<std::filesystem::path> others;
  for (const std::string_view packed : {"", ".gz", ".xz", ".zst"}) {
    std::filesystem::path candidate = plain;
    candidate += packed;
    if (std::filesystem::exists(candidate, ignored)) others.push_back(std::move(candidate));
  }
  if (others.size() > 1)
    throw input_error(path.string(), 0,
                      detail::quote(others[0].filename().string()) + " and " +
                          detail::quote(others[1].filename().string()) + " beside it",
                      detail::printable(same.filename().string()) + ", or one of them alone");
  return others.empty() ? same : others[0];
}

/// The same for one file of a pair, whose own ending determines its compression.
read_options half_of(const read_options& options) {
  read_options half = options;
  half.name.clear();
  half.format.reset();
  return half;
}

coordinates read_ldbc_pair(const std::filesystem::path& path, const read_options& options) {
  const bool is_edges = detail::plain_name(path).extension() == ".e";
  read_options left = half_of(options);
  const detail::source vertices =
      detail::open_source(is_edges ? partner_of(path, ".v") : path, left);
  left.memory_used += vertices.memory;
  const detail::source edges = detail::open_source(is_edges ? path : partner_of(path, ".e"), left);
  left.memory_used += edges.memory;
  const std::string_view listed = detail::without_mark(vertices.text, vertices.name);
  return detail::read_ldbc(&listed, vertices.name, detail::without_mark(edges.text, edges.name),
                           edges.name, left);
}

std::string shown_name(const std::filesystem::path& path, const read_options& options) {
  return options.name.empty() ? path.string() : options.name;
}

/// Whether the file is half of an LDBC graph.
bool is_ldbc(const std::filesystem::path& path, const read_options& options) {
  const bool is_named = format_of(path) == file_format::ldbc;
  if (!options.format) return is_named;
  const bool is_wanted = options.format->format == file_format::ldbc;
  if (is_wanted && !is_named)
    throw usage_error(shown_name(path, options) +
                      ": found one file, expected the two of an LDBC graph, NAME.v and NAME.e, by "
                      "the name of one of them");
  return is_wanted;
}

file_format known_format(const std::filesystem::path& path, const detail::source& file,
                         const read_options& options) {
  if (options.format) return options.format->format;
  if (const auto found = sniff(detail::without_mark(file.text, file.name))) return *found;
  if (const auto named = format_of(path)) return *named;
  if (file.text.empty()) throw input_error(file.name, 0, "an empty file", "a matrix or a graph");
  const std::string ending = detail::plain_name(path).extension().string();
  throw input_error(
      file.name, 0,
      ending.empty() ? "a name without an ending" : "the unknown ending " + detail::quote(ending),
      format_endings() +
          ", or the content of a Matrix Market or Tropic file (--format says what it is)");
}

const char* locate(std::string_view text, file_format format, const coordinates& from,
                   std::size_t entry, const read_options& options) {
  using namespace detail;
  if (format == file_format::csv || format == file_format::tsv)
    return table_entry(text, format, from, entry, options);
  if (format == file_format::metis) return metis_vertex_line(text, from.row[entry]);
  std::string_view body = text;
  if (format == file_format::matrix_market) body = matrix_market_body(text);
  if (format == file_format::dimacs) body = dimacs_body(text);
  return data_line_at(find_data_lines(body, comments_of(format), job()), body, entry);
}

/// The stored entry of which the given entry is the mirror image.
std::optional<std::size_t> original_of(const coordinates& from, index_t entry) {
  if (entry < 0 || entry >= from.entries())
    throw usage_error("entry " + std::to_string(entry) + " of a matrix with " +
                      std::to_string(from.entries()));
  if (entry < from.stored) return static_cast<std::size_t>(entry);
  index_t image = from.stored;
  for (std::size_t k = 0; k < static_cast<std::size_t>(from.stored); ++k) {
    if (from.row[k] == from.column[k]) continue;
    if (image == entry) return k;
    ++image;
  }
  return std::nullopt;
}

std::size_t line_in(std::string_view name, std::string_view text, file_format format,
                    const coordinates& from, index_t entry, const read_options& options) {
  const std::optional<std::size_t> original = original_of(from, entry);
  if (!original || format == file_format::binary) return 0;
  text = detail::without_mark(text, name);
  return detail::with_lines(name, text, [&] {
    return detail::line_at(text, locate(text, format, from, *original, options));
  });
}

coordinates read_any(std::string_view text, file_format format, std::string_view name,
                     const read_options& options, detail::row_placer* placer) {
  check_options(name, format, options);
  if (format != file_format::binary) text = detail::without_mark(text, name);
  // Its two texts have their own names.
  if (format == file_format::ldbc) return detail::read_ldbc(nullptr, {}, text, name, options);
  return detail::with_lines(name, text, [&] {
    switch (format) {
      case file_format::matrix_market:
        return detail::read_matrix_market(text, name, options, placer);
      case file_format::dimacs: return detail::read_dimacs(text, name, options, placer);
      case file_format::edge_list:
      case file_format::weighted_edge_list:
      case file_format::snap:
        if (options.names) return detail::read_table(text, format, name, options);
        return detail::read_edge_list(text, format, name, options, placer);
      case file_format::csv:
      case file_format::tsv: return detail::read_table(text, format, name, options);
      case file_format::metis: return detail::read_metis(text, name, options);
      case file_format::ldbc:
      case file_format::binary: break;
    }
    return detail::read_binary(text, name, options);
  });
}

coordinates read_path(const std::filesystem::path& path, const read_options& options,
                      detail::row_placer* placer) {
  try {
    if (is_ldbc(path, options)) {
      check_options(shown_name(path, options), file_format::ldbc, options);
      return read_ldbc_pair(path, options);
    }
    const detail::source file = detail::open_source(path, options);
    read_options left = options;
    left.memory_used += file.memory;
    return read_any(file.text, known_format(path, file, options), file.name, left, placer);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(detail::latest_requirement(), detail::available_memory(),
                        shown_name(path, options) + ": reading");
  }
}

}  // namespace

std::vector<std::filesystem::path> detail::paths_to_read(const std::filesystem::path& path) {
  if (format_of(path) != file_format::ldbc) return {path};
  const bool is_edges = detail::plain_name(path).extension() == ".e";
  return {path, partner_of(path, is_edges ? ".v" : ".e")};
}

coordinates read_text(std::string_view text, file_format format, std::string_view name,
                      const read_options& options) {
  return read_any(text, format, name, options, nullptr);
}

coordinates read_ldbc_text(std::string_view vertices, std::string_view edges, std::string_view name,
                           const read_options& options) {
  check_options(name, file_format::ldbc, options);
  const std::string of_vertices = std::string(name) + ".v", of_edges = std::string(name) + ".e";
  const std::string_view listed = detail::without_mark(vertices, of_vertices);
  return detail::read_ldbc(&listed, of_vertices, detail::without_mark(edges, of_edges), of_edges,
                           options);
}

coordinates read(const std::filesystem::path& path, const read_options& options) {
  return read_path(path, options, nullptr);
}

coordinates detail::read_text_with(std::string_view text, file_format format, std::string_view name,
                                   const read_options& options, row_placer& placer) {
  return read_any(text, format, name, options, &placer);
}

coordinates detail::read_with(const std::filesystem::path& path, const read_options& options,
                              row_placer& placer) {
  return read_path(path, options, &placer);
}

std::size_t line_of_entry(std::string_view text, file_format format, const coordinates& from,
                          index_t entry, const read_options& options) {
  return line_in(options.name.empty() ? "text" : options.name, text, format, from, entry, options);
}

std::size_t line_of_entry(const std::filesystem::path& path, const coordinates& from, index_t entry,
                          const read_options& options) {
  if (!is_ldbc(path, options)) {
    const detail::source file = detail::open_source(path, options);
    return line_in(file.name, file.text, known_format(path, file, options), from, entry, options);
  }
  const bool is_vertices = detail::plain_name(path).extension() == ".v";
  const detail::source edges =
      detail::open_source(is_vertices ? partner_of(path, ".e") : path, half_of(options));
  return line_in(edges.name, edges.text, file_format::ldbc, from, entry, options);
}

}  // namespace tropic::io
