// SPDX-License-Identifier: Apache-2.0

// Formats: their names, as file endings and values of options like --format, and their comments.

#include <array>
#include <tropic/io.hpp>
#include <utility>

#include "io/input/source.hpp"
#include "io/readers.hpp"

namespace tropic::io {

namespace {

constexpr std::array<std::pair<std::string_view, file_format>, 11> endings{{
    {".mtx", file_format::matrix_market},
    {".gr", file_format::dimacs},
    {".el", file_format::edge_list},
    {".wel", file_format::weighted_edge_list},
    {".txt", file_format::snap},
    {".csv", file_format::csv},
    {".tsv", file_format::tsv},
    {".graph", file_format::metis},
    {".v", file_format::ldbc},
    {".e", file_format::ldbc},
    {".tropic", file_format::binary},
}};

}  // namespace

std::optional<file_format> format_of(const std::filesystem::path& path) {
  const std::string ending = detail::plain_name(path).extension().string();
  for (const auto& [name, format] : endings)
    if (ending == name) return format;
  return std::nullopt;
}

std::optional<named_format> format_named(std::string_view name) {
  // Parsed like the ending of a file named "x".
  const std::filesystem::path path("x." + std::string(name));
  const std::optional<file_format> format = format_of(path);
  const std::filesystem::path plain = detail::plain_name(path);
  if (!format || plain.stem() != "x" || plain.has_parent_path()) return std::nullopt;
  return named_format{*format, detail::compression_of(path)};
}

std::string format_endings() {
  std::string all;
  for (const auto& ending : endings) all.append(all.empty() ? "" : ", ").append(ending.first);
  return all;
}

namespace detail {

comment_marks comments_of(file_format format) {
  switch (format) {
    case file_format::matrix_market:
    case file_format::metis: return {'%', '\0'};
    case file_format::dimacs: return {'c', '\0'};
    case file_format::edge_list:
    case file_format::weighted_edge_list:
    case file_format::snap:
    case file_format::ldbc: return {'#', '%'};
    case file_format::csv:
    case file_format::tsv: return {'#', '\0'};
    case file_format::binary: break;
  }
  return {};
}

}  // namespace detail

}  // namespace tropic::io
