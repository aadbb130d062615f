// SPDX-License-Identifier: Apache-2.0
#pragma once

// The writers, one per format: from coordinates to the bytes of a sink.

#include <functional>
#include <string_view>
#include <tropic/io.hpp>
#include <vector>

#include "io/lines.hpp"

namespace tropic::io::detail {

using byte_sink = std::function<void(std::string_view)>;

/// Every line-oriented format except LDBC.
void write_lines(const coordinates& matrix, file_format format, std::string_view name,
                 const write_options& options, const byte_sink& sink);
void write_ldbc_vertices(const coordinates& matrix, const write_options& options,
                         const byte_sink& sink);
void write_ldbc_edges(const coordinates& matrix, std::string_view name,
                      const write_options& options, const byte_sink& sink);
void write_binary(const coordinates& matrix, std::string_view name, const write_options& options,
                  const byte_sink& sink);

/// The same, and the file, for rows whose columns ascend.
void write_binary_rows(const mapped_csr& matrix, const write_options& options,
                       const byte_sink& sink);
void write_rows(const std::filesystem::path& path, const mapped_csr& matrix,
                const write_options& options);

/// The format that write() uses for `path`: options.format, otherwise that of the name's ending.
/// Throws usage_error if neither gives one.
named_format format_to_write(const std::filesystem::path& path, const write_options& options);
/// The files that write() makes: one, or both halves of an LDBC graph.
std::vector<std::filesystem::path> paths_to_write(const std::filesystem::path& path,
                                                  const write_options& options);

/// Entry numbers by row, then column, then file order.
std::vector<std::size_t> row_major_order(const coordinates& matrix, int threads);

/// Throws usage_error if the format cannot store the names of the vertices.
void check_names(const coordinates& matrix, file_format format, std::string_view name,
                 const write_options& options);

/// Throws usage_error if the format cannot store values of the type, or names of vertices.
void check_holds_values(file_format format, type_code type, std::string_view name);
void check_holds_names(file_format format, std::string_view name);

/// Throws usage_error if the fields of the value contradict each other.
void check_coordinates(const coordinates& matrix, std::string_view name);

}  // namespace tropic::io::detail
