// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reading and writing matrices and graphs.
//
// Every format meets the library in one neutral value, `coordinates`: a list of entries in file
// order, duplicates and explicit zeros included. Building a matrix from it resolves duplicates.
// Whatever a file holds, a reader either returns all of it or throws input_error, whose text is
// `FILE:LINE: found X, expected Y` (a `.tropic` file has no lines: its errors name the byte), or
// out_of_memory, which names the file, the bytes required and those free. No reader allocates by
// what a header says alone: an array is as long as the data that the file has for it. A small file
// may still state a huge shape; that costs nothing before a matrix is built from it.
//
//   extension      format                                      vertices in the file
//   .mtx           Matrix Market, coordinate and array         1-based
//   .gr            DIMACS shortest paths                       1-based, kept for --source/--output
//   .el .wel       edge list, weighted edge list               0-based
//   .txt           SNAP edge list, optional third column       0-based, as they are
//   .graph         METIS adjacency lists                       1-based
//   .v .e          LDBC Graphalytics, read and written in pair any 64-bit numbers, kept likewise
//   .csv .tsv      tables: source, target and optional weight  0-based
//   .tropic        compressed sparse rows, memory-mapped       0-based
//
// Each may carry .gz, .xz or .zst behind it. Other extensions are known by content, or by
// read_options::format. With read_options::names the vertices of tables and edge lists are names.
// Text is UTF-8; a byte-order mark in front of it is skipped. docs/files.md has all rules.

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
#include <tropic/name_table.hpp>
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
  csv,
  tsv,
};

enum class packing : std::uint8_t { none, gzip, xz, zstd };

/// What a name like "el" or "csv.gz" stands for.
struct named_format {
  file_format format = file_format::matrix_market;
  packing packed = packing::none;
};

/// Whether the first line of a table has the names of its columns.
enum class header_rule : std::uint8_t {
  automatic,  ///< as its text says; an input_error where that is not certain
  yes,
  no,
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
  name_table vertex_names{};        ///< read_options::names: one a vertex, ascending; else empty

  index_t entries() const { return static_cast<index_t>(row.size()); }
  bool weighted() const { return !pattern; }
  /// Bytes of one value; a complex one is a pair.
  std::size_t value_size() const { return describe(type).size * (complex ? 2 : 1); }
};

/// Called now and then with the share that is done; returning false stops with `cancelled`.
using progress_function = std::function<bool(double fraction)>;

/// Graphs in text pack by 4 to 50, hypersparse `.tropic` files by up to 550. Only the same bytes
/// again and again pack by more: with gzip by 1,032 at the most, with xz and zstd by over 5,000.
inline constexpr std::size_t default_unpack_ratio = 800;

struct read_options {
  std::optional<type_code> type{};  ///< convert values; one that does not fit is an error
  bool undirected = false;          ///< list every edge in both directions, unless it is so already
  bool lenient = false;             ///< accept a Matrix Market banner that has a single '%'
  int threads = 0;                  ///< 0: as many as OpenMP gives; see context_options::threads
  std::size_t chunk_bytes = 0;      ///< text that one task parses; 0 chooses, tests say 1
  progress_function progress{};
  /// Bytes that reading may hold at a time: text that is unpacked or comes from a pipe, tables and
  /// entries. A mapped file takes none. 0: what the machine and its limits have. What needs more is
  /// out_of_memory, before it is allocated.
  std::size_t memory_limit = 0;
  /// Bytes of `memory_limit` that the caller holds already.
  std::size_t memory_used = 0;
  /// A packed file is refused once more than 64 MiB are unpacked and they are more than so many
  /// times the packed bytes that they came from; 0: none is.
  std::size_t unpack_ratio = default_unpack_ratio;
  std::optional<named_format> format{};  ///< instead of what the file's ending and content say
  std::string name{};                    ///< stands in errors instead of the path
  /// Vertices of .csv, .tsv, .el, .wel and .txt are names; they are numbered in ascending order.
  bool names = false;
  // Of .csv and .tsv alone:
  header_rule header = header_rule::automatic;
  /// Source, target and, if there is a third, weight: names in the header, or numbers from 1.
  std::vector<std::string> columns{};
  char separator = '\0';  ///< '\0': as the first line has it
};

struct write_options {
  bool drop_values = false;  ///< let a format without values write a weighted matrix
  std::string comment{};     ///< for formats with comments; may have several lines
  int threads = 0;
  progress_function progress{};
  /// Instead of what the name's ending says; unless this says a packing, the name does.
  std::optional<named_format> format{};
  bool drop_names = false;  ///< let a format without names write a graph that has them
};

/// The format that a name promises (compression endings are looked through), if any.
TROPIC_API std::optional<file_format> format_of(const std::filesystem::path& path);

/// The format of that name, which is an ending without its point: "el", "csv.gz". Nothing for any
/// other text.
TROPIC_API std::optional<named_format> format_named(std::string_view name);
/// All endings, for messages: ".mtx, .gr, .el, ...".
TROPIC_API std::string format_endings();

/// Throws input_error, out_of_memory, cancelled; usage_error for options that do not fit the
/// format.
TROPIC_API coordinates read(const std::filesystem::path& path, const read_options& options = {});

/// Reads text that is already in memory. `name` stands in errors. With file_format::ldbc the text
/// is the edges, and the vertices are those that occur in them.
TROPIC_API coordinates read_text(std::string_view text, file_format format, std::string_view name,
                                 const read_options& options = {});

/// The two halves of an LDBC graph.
TROPIC_API coordinates read_ldbc_text(std::string_view vertices, std::string_view edges,
                                      std::string_view name, const read_options& options = {});

/// The 1-based line on which an entry of `from` stands, found by reading the file again; a
/// mirrored entry gives the line of its original. 0 where the format has no lines. `options` are
/// those that it was read with. Throws as read() does, and input_error where the file has changed
/// and lost the entry. A pipe cannot be read again: do not ask for lines of one.
TROPIC_API std::size_t line_of_entry(const std::filesystem::path& path, const coordinates& from,
                                     index_t entry, const read_options& options = {});
TROPIC_API std::size_t line_of_entry(std::string_view text, file_format format,
                                     const coordinates& from, index_t entry,
                                     const read_options& options = {});

/// Writes by options.format, else by extension. Throws usage_error where the format cannot hold the
/// matrix or the name cannot be written to, error where the system refuses, cancelled.
///
/// - A regular file appears whole or not at all: it is written beside its place and renamed. It
///   keeps its permission bits, access control list and `user.` attributes, and owner and group
///   where the process may set them; its other hard links keep the old content. A file without any
///   write permission is refused, and so is a folder that takes no new file.
/// - A link is followed and stays, also one to a file that does not exist yet.
/// - A device, a named pipe, and a descriptor of this process (/dev/stdout, /dev/fd/N, also by a
///   link) are written to at their position, and not replaced.
/// - LDBC is a pair, NAME.v and NAME.e; both files get their names or none does. A symmetric matrix
///   is listed in both directions.
/// - Names of vertices go to .csv and .tsv, and to edge lists where they have no blanks.
///
/// docs/writing.md has the reasons.
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
  std::size_t memory = 0;  ///< bytes that `owner` holds in memory; 0 where the file is mapped
};

/// Maps a `.tropic` file (a compressed one is unpacked to memory). Its header is always checked
/// against its checksum and the file's size. Unless `trusted`, so are in one pass all offsets and
/// columns, bools, vertex numbers, padding, and whether the entries are symmetric where the header
/// says so (by sums of hashes with a random key: a false one passes once in 2^64 files).
///
/// The file must not change while it is mapped: its arrays were checked as they were, and reading
/// what another program has cut off ends the process (SIGBUS). Map a copy of a file that others may
/// write to.
TROPIC_API mapped_csr map_binary(const std::filesystem::path& path, bool trusted = false,
                                 int threads = 0);
/// The same with the threads, limits and progress of `options`, whose other members do not count.
TROPIC_API mapped_csr map_binary(const std::filesystem::path& path, const read_options& options,
                                 bool trusted = false);

}  // namespace tropic::io
