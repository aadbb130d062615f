// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reading and writing matrices and graphs.
//
// Every format meets the library in one neutral value, `coordinates`: a list of entries in file
// order, duplicates and explicit zeros included. Building a matrix from it resolves duplicates.
// Whatever a file holds, a reader either returns all of it or throws input_error, whose text is
// `FILE:LINE: found X, expected Y`. It never allocates on the word of a header alone.
//
//   extension      format                                      vertices in the file
//   .mtx           Matrix Market, coordinate and array         1-based
//   .gr            DIMACS shortest paths                       1-based, kept for --source/--output
//   .el .wel       edge list, weighted edge list               0-based
//   .txt           SNAP edge list, optional third column       0-based, as they are
//   .graph         METIS adjacency lists                       1-based
//   .v .e          LDBC Graphalytics, read and written in pair any 64-bit numbers, kept likewise
//   .tropic        compressed sparse rows, memory-mapped       0-based
//
// Each may carry .gz, .xz or .zst behind it. Other extensions are told by content.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>
#include <vector>

namespace tropic::io {

enum class file_format : std::uint8_t {
  matrix_market,
  dimacs,
  edge_list,
  weighted_edge_list,
  snap,
  metis,
  ldbc,
  binary,
};

/// A matrix as a list of entries, in file order. Row and column numbers are 0-based.
struct coordinates {
  index_t rows = 0;
  index_t columns = 0;
  type_code type = type_code::boolean;  ///< of `values`; always a built-in type
  bool complex = false;                 ///< `values` holds pairs (re, im) of fp32 or fp64
  bool pattern = false;                 ///< no values in the file: `values` is exactly one 1
  bool symmetric = false;               ///< structure and values; both triangles are listed
  std::vector<std::uint32_t> row;
  std::vector<std::uint32_t> column;
  std::vector<std::byte> values;
  /// Entries [0, stored) stand in the file; those behind are the mirror images of its
  /// off-diagonal ones in the same order (then the zero diagonal of a skew-symmetric array).
  index_t stored = 0;
  std::vector<index_t> vertex_ids;  ///< LDBC: the own number of each vertex, ascending
  index_t first_vertex_id = 0;      ///< 1 where the file counts vertices from one (DIMACS .gr)

  index_t entries() const { return static_cast<index_t>(row.size()); }
  bool weighted() const { return !pattern; }
  /// Bytes of one value; a complex one is a pair.
  std::size_t value_size() const { return describe(type).size * (complex ? 2 : 1); }
};

/// Called now and then with the share that is done; returning false stops with `cancelled`.
using progress_function = std::function<bool(double fraction)>;

struct read_options {
  std::optional<type_code> type{};  ///< convert values; one that does not fit is an error
  bool undirected = false;          ///< list every edge in both directions, unless it is so already
  bool lenient = false;             ///< accept a Matrix Market banner that has a single '%'
  int threads = 0;                  ///< 0: as many as OpenMP gives; see context_options::threads
  std::size_t chunk_bytes = 0;      ///< text that one task parses; 0 chooses, tests say 1
  progress_function progress{};
};

struct write_options {
  bool drop_values = false;  ///< let a format without values write a weighted matrix
  std::string comment{};     ///< for formats with comments; may have several lines
  int threads = 0;
  progress_function progress{};
};

/// The format that a name promises (compression endings are looked through), if any.
TROPIC_API std::optional<file_format> format_of(const std::filesystem::path& path);

TROPIC_API coordinates read(const std::filesystem::path& path, const read_options& options = {});

/// Reads text that is already in memory. `name` stands in errors. With file_format::ldbc the text
/// is the edges, and the vertices are those that occur in them.
TROPIC_API coordinates read_text(std::string_view text, file_format format, std::string_view name,
                                 const read_options& options = {});

/// The two halves of an LDBC graph.
TROPIC_API coordinates read_ldbc_text(std::string_view vertices, std::string_view edges,
                                      std::string_view name, const read_options& options = {});

/// The 1-based line on which an entry of `from` stands, found by reading the file again; a
/// mirrored entry gives the line of its original. 0 where the format has no lines.
TROPIC_API std::size_t line_of_entry(const std::filesystem::path& path, const coordinates& from,
                                     index_t entry);
TROPIC_API std::size_t line_of_entry(std::string_view text, file_format format,
                                     const coordinates& from, index_t entry);

/// Writes by extension. The file appears whole or not at all: it is written beside its final name
/// and renamed. Throws usage_error where the format cannot hold the matrix. LDBC lists a symmetric
/// matrix in both directions.
TROPIC_API void write(const std::filesystem::path& path, const coordinates& matrix,
                      const write_options& options = {});

/// The text of every format but LDBC's pair and the binary one, for callers without a file.
TROPIC_API std::string write_text(const coordinates& matrix, file_format format,
                                  const write_options& options = {});

/// A `.tropic` file in place: compressed sparse rows, columns strictly ascending in each row.
/// Exactly one of the offset spans is in use. `owner` keeps the bytes alive.
struct mapped_csr {
  index_t rows = 0;
  index_t columns = 0;
  index_t entries = 0;
  type_code type = type_code::boolean;
  bool complex = false;
  bool pattern = false;
  bool symmetric = false;
  index_t first_vertex_id = 0;
  std::span<const std::uint32_t> offsets32;
  std::span<const std::uint64_t> offsets64;
  std::span<const std::uint32_t> column;
  std::span<const std::byte> values;
  std::span<const index_t> vertex_ids;
  std::shared_ptr<const void> owner;
};

/// Maps a `.tropic` file (a compressed one is unpacked to memory). Its offsets and columns are
/// checked in full unless `trusted`.
TROPIC_API mapped_csr map_binary(const std::filesystem::path& path, bool trusted = false,
                                 int threads = 0);

}  // namespace tropic::io
