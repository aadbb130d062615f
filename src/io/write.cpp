// SPDX-License-Identifier: Apache-2.0

// From a path to a writer.

#include "sink.hpp"
#include "source.hpp"
#include "writers.hpp"

namespace tropic::io {

namespace {

void write_ldbc_pair(const std::filesystem::path& path, const coordinates& matrix,
                     const write_options& options) {
  // Both halves take the packing of the name that was given.
  const std::filesystem::path plain = detail::plain_name(path);
  const std::filesystem::path packing = plain == path ? std::filesystem::path() : path.extension();
  const auto half = [&](const char* ending) {
    std::filesystem::path name = plain;
    name.replace_extension(ending);
    name += packing;
    return name;
  };
  detail::output_file vertices(half(".v")), edges(half(".e"));
  detail::write_ldbc_edges(matrix, path.string(), options,
                           [&](std::string_view bytes) { edges.write(bytes); });
  detail::write_ldbc_vertices(matrix, options,
                              [&](std::string_view bytes) { vertices.write(bytes); });
  vertices.finish();
  edges.finish();
  vertices.commit();
  edges.commit();
}

}  // namespace

void write(const std::filesystem::path& path, const coordinates& matrix,
           const write_options& options) {
  const std::optional<file_format> format = format_of(path);
  if (!format)
    throw usage_error(path.string() + ": the ending names no format (" + format_endings() +
                      ", each also with .gz, .xz or .zst)");
  detail::check_names(matrix, *format, path.string(), options);
  if (*format == file_format::ldbc) return write_ldbc_pair(path, matrix, options);
  detail::output_file file(path);
  const auto sink = [&](std::string_view bytes) { file.write(bytes); };
  if (*format == file_format::binary)
    detail::write_binary(matrix, path.string(), options, sink);
  else
    detail::write_lines(matrix, *format, path.string(), options, sink);
  file.commit();
}

std::string write_text(const coordinates& matrix, file_format format,
                       const write_options& options) {
  if (format == file_format::ldbc || format == file_format::binary)
    throw usage_error("write_text: LDBC graphs and Tropic files are written to paths only");
  detail::check_names(matrix, format, "write_text", options);
  std::string text;
  detail::write_lines(matrix, format, "write_text", options,
                      [&](std::string_view bytes) { text += bytes; });
  return text;
}

}  // namespace tropic::io
