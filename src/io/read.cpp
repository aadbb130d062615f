// SPDX-License-Identifier: Apache-2.0

// From a path to a reader: the ending decides, then the content, and every failure of a reader
// gets its file and line here.

#include <new>

#include "binary_format.hpp"
#include "lines.hpp"
#include "memory.hpp"
#include "readers.hpp"
#include "source.hpp"

namespace tropic::io {

namespace {

/// The content of some formats is unmistakable; it overrules an ending like `.txt`.
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

void require_builtin(std::string_view name, const read_options& options) {
  if (options.type == type_code::record)
    throw usage_error(std::string(name) + ": files hold built-in types, not records");
}

/// The other half of an LDBC graph beside `path`: plain, or packed in any of the ways.
std::filesystem::path partner_of(const std::filesystem::path& path, std::string_view ending) {
  std::filesystem::path plain = detail::plain_name(path);
  plain.replace_extension(ending);
  for (const std::string_view packed : {"", ".gz", ".xz", ".zst"}) {
    std::filesystem::path candidate = plain;
    candidate += packed;
    std::error_code ignored;
    if (std::filesystem::exists(candidate, ignored)) return candidate;
  }
  return plain;
}

coordinates read_ldbc_pair(const std::filesystem::path& path, const read_options& options) {
  const bool is_edges = detail::plain_name(path).extension() == ".e";
  read_options left = options;
  const detail::source vertices =
      detail::open_source(is_edges ? partner_of(path, ".v") : path, left);
  left.memory_used += vertices.memory;
  const detail::source edges = detail::open_source(is_edges ? path : partner_of(path, ".e"), left);
  left.memory_used += edges.memory;
  return detail::read_ldbc(&vertices.text, vertices.name, edges.text, edges.name, left);
}

file_format known_format(const std::filesystem::path& path, std::string_view text) {
  if (const auto told = sniff(text)) return *told;
  if (const auto named = format_of(path)) return *named;
  const std::string ending = detail::plain_name(path).extension().string();
  throw input_error(
      path.string(), 0,
      ending.empty() ? "a name without an ending" : "the unknown ending " + detail::quote(ending),
      format_endings() + ", or the content of a Matrix Market or Tropic file");
}

const char* locate(std::string_view text, file_format format, const coordinates& from,
                   std::size_t entry) {
  using namespace detail;
  if (format == file_format::metis) return metis_vertex_line(text, from.row[entry]);
  std::string_view body = text;
  if (format == file_format::matrix_market) body = matrix_market_body(text);
  if (format == file_format::dimacs) body = dimacs_body(text);
  return data_line_at(find_data_lines(body, comments_of(format), job()), entry);
}

/// The stored entry whose mirror image an entry is.
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
                    const coordinates& from, index_t entry) {
  const std::optional<std::size_t> original = original_of(from, entry);
  if (!original || format == file_format::binary) return 0;
  return detail::with_lines(
      name, text, [&] { return detail::line_at(text, locate(text, format, from, *original)); });
}

}  // namespace

std::vector<std::filesystem::path> detail::paths_to_read(const std::filesystem::path& path) {
  if (format_of(path) != file_format::ldbc) return {path};
  const bool is_edges = detail::plain_name(path).extension() == ".e";
  return {path, partner_of(path, is_edges ? ".v" : ".e")};
}

coordinates read_text(std::string_view text, file_format format, std::string_view name,
                      const read_options& options) {
  require_builtin(name, options);
  // Its two texts have names of their own.
  if (format == file_format::ldbc) return detail::read_ldbc(nullptr, {}, text, name, options);
  return detail::with_lines(name, text, [&] {
    switch (format) {
      case file_format::matrix_market: return detail::read_matrix_market(text, name, options);
      case file_format::dimacs: return detail::read_dimacs(text, name, options);
      case file_format::edge_list:
      case file_format::weighted_edge_list:
      case file_format::snap: return detail::read_edge_list(text, format, name, options);
      case file_format::metis: return detail::read_metis(text, name, options);
      case file_format::ldbc:
      case file_format::binary: break;
    }
    return detail::read_binary(text, name, options);
  });
}

coordinates read_ldbc_text(std::string_view vertices, std::string_view edges, std::string_view name,
                           const read_options& options) {
  require_builtin(name, options);
  return detail::read_ldbc(&vertices, std::string(name) + ".v", edges, std::string(name) + ".e",
                           options);
}

coordinates read(const std::filesystem::path& path, const read_options& options) {
  try {
    require_builtin(path.string(), options);
    if (format_of(path) == file_format::ldbc) return read_ldbc_pair(path, options);
    const detail::source file = detail::open_source(path, options);
    read_options left = options;
    left.memory_used += file.memory;
    return read_text(file.text, known_format(path, file.text), file.name, left);
  } catch (const std::bad_alloc&) {
    throw out_of_memory(detail::latest_requirement(), detail::available_memory(),
                        path.string() + ": reading");
  }
}

std::size_t line_of_entry(std::string_view text, file_format format, const coordinates& from,
                          index_t entry) {
  return line_in("text", text, format, from, entry);
}

std::size_t line_of_entry(const std::filesystem::path& path, const coordinates& from, index_t entry,
                          const read_options& options) {
  const bool is_ldbc = format_of(path) == file_format::ldbc;
  const bool is_vertices = is_ldbc && detail::plain_name(path).extension() == ".v";
  const detail::source file =
      detail::open_source(is_vertices ? partner_of(path, ".e") : path, options);
  return line_in(file.name, file.text, is_ldbc ? file_format::ldbc : known_format(path, file.text),
                 from, entry);
}

}  // namespace tropic::io
