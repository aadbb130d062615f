// SPDX-License-Identifier: Apache-2.0
#pragma once

// The readers, one per format: from text to coordinates. Failures are parse_failure, except that
// LDBC, which has two texts, throws input_error itself.

#include <string_view>
#include <tropic/io.hpp>

#include "io/lines.hpp"

namespace tropic::io::detail {

class row_placer;  // placed_rows.hpp

// With a placer, the result has no entries if the placer has taken them.
coordinates read_matrix_market(std::string_view text, std::string_view name,
                               const read_options& options, row_placer* placer = nullptr);
coordinates read_dimacs(std::string_view text, std::string_view name, const read_options& options,
                        row_placer* placer = nullptr);
/// `.el`, `.wel` and SNAP's `.txt`.
coordinates read_edge_list(std::string_view text, file_format format, std::string_view name,
                           const read_options& options, row_placer* placer = nullptr);
/// `.csv`, `.tsv`, and with read_options::names edge lists.
coordinates read_table(std::string_view text, file_format format, std::string_view name,
                       const read_options& options);
coordinates read_metis(std::string_view text, std::string_view name, const read_options& options);
/// Without `vertices` they are those that occur in the edges.
coordinates read_ldbc(const std::string_view* vertices, std::string_view vertices_name,
                      std::string_view edges, std::string_view edges_name,
                      const read_options& options);
/// Expands compressed sparse rows. `name` is used in errors, which have no line.
coordinates read_binary(std::string_view bytes, std::string_view name, const read_options& options);
mapped_csr view_binary(std::string_view bytes, std::shared_ptr<const void> owner,
                       std::string_view name, bool trusted, int threads);

/// The files that read() opens for a name: one, or both halves of an LDBC graph.
std::vector<std::filesystem::path> paths_to_read(const std::filesystem::path& path);

/// The characters that open a comment in each line-oriented format.
comment_marks comments_of(file_format format);

/// Where the data lines of a Matrix Market or DIMACS file begin.
std::string_view matrix_market_body(std::string_view text);
std::string_view dimacs_body(std::string_view text);
/// The position of the record of an entry in a `.csv` or `.tsv` text. Throws parse_failure if there
/// is none because the file has changed.
const char* table_entry(std::string_view text, file_format format, const coordinates& from,
                        std::size_t entry, const read_options& options);
/// The line of a METIS file that lists a vertex's neighbours. Throws parse_failure likewise.
const char* metis_vertex_line(std::string_view text, std::uint32_t vertex);

}  // namespace tropic::io::detail
