// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reading and writing matrices and graphs.
//
// All formats are read into one neutral value, `coordinates`: a list of entries in file order,
// including duplicates and explicit zeros. Building a matrix from it resolves duplicates. A reader
// either returns the whole content of a file or throws input_error, whose text is
// `FILE:LINE: found X, expected Y` (errors of `.tropic` files name the byte), or out_of_memory,
// which names the file, the bytes required and those free. No reader allocates memory by the sizes
// in a header alone: an array is as long as its data in the file. A small file may still state a
// huge shape, which costs nothing until a matrix is built from it.
//
//   extension      format                                      vertices in the file
//   .mtx           Matrix Market, coordinate and array         1-based
//   .gr            DIMACS shortest paths                       1-based, kept for --source/--output
//   .el .wel       edge list, weighted edge list               0-based
//   .txt           SNAP edge list, optional third column       0-based
//   .graph         METIS adjacency lists                       1-based
//   .v .e          LDBC Graphalytics, a pair of files          any 64-bit numbers, kept as for .gr
//   .csv .tsv      tables: source, target and optional weight  0-based
//   .tropic        compressed sparse rows, memory-mapped       0-based
//
// Each extension may be followed by .gz, .xz or .zst. Other files are recognised by their content,
// or by read_options::format. With read_options::names the vertices of tables and edge lists are
// names. Text is UTF-8; a leading byte-order mark is skipped. docs/files.md has all rules.

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

/// The meaning of a name like "el" or "csv.gz".
struct named_format {
  file_format format = file_format::matrix_market;
  packing packed = packing::none;
};

/// Whether the first line of a table contains the names of its columns.
enum class header_rule : std::uint8_t {
  automatic,  ///< detected from its text; an input_error if that is ambiguous
  yes,
  no,
};

/// A matrix as a list of entries, in file order. Row and column numbers are 0-based.
struct coordinates {
  index_t rows = 0;
  index_t columns = 0;
  type_code type = type_code::boolean;  ///< of `values`; always a built-in type
  bool complex = false;                 ///< `values` holds pairs (re, im) of fp32 or fp64
  bool pattern = false;                 ///< no values in the file: `values` is a single 1
  bool symmetric = false;               ///< structure and values; both triangles are listed
  std::vector<std::uint32_t> row;
  std::vector<std::uint32_t> column;
  std::vector<std::byte> values;
  /// Entries [0, stored) are in the file; the following ones are the mirror images of its
  /// off-diagonal ones in the same order (then the zero diagonal of a skew-symmetric array).
  index_t stored = 0;
  std::vector<index_t> vertex_ids;  ///< LDBC: the number of each vertex in the file, ascending
  index_t first_vertex_id = 0;      ///< 1 if the file numbers vertices from one (DIMACS .gr)
  name_table vertex_names{};        ///< read_options::names: one per vertex, ascending; else empty

  index_t entries() const { return static_cast<index_t>(row.size()); }
  bool weighted() const { return !pattern; }
  /// Bytes of one value; a complex one is a pair.
  std::size_t value_size() const { return describe(type).size * (complex ? 2 : 1); }
};

/// Called periodically with the fraction done; returning false stops with `cancelled`.
using progress_function = std::function<bool(double fraction)>;

/// Default of read_options::unpack_ratio. Graphs as text compress by a factor of 4 to 50,
/// hypersparse `.tropic` files by up to 550. Only repeated bytes compress better: by up to 1,032
/// with gzip, and by over 5,000 with xz and zstd.
inline constexpr std::size_t default_unpack_ratio = 800;

struct read_options {
  std::optional<type_code> type{};  ///< convert values; one that does not fit is an error
  bool undirected = false;          ///< list every edge in both directions, unless both are listed
  bool lenient = false;             ///< accept a Matrix Market banner that has a single '%'
  int threads = 0;                  ///< 0: OpenMP's default; see context_options::threads
  std::size_t chunk_bytes = 0;      ///< text parsed by one task; 0: automatic; tests use 1
  progress_function progress{};
  /// The maximum number of bytes held while reading: text that is unpacked or comes from a pipe,
  /// tables and entries. A mapped file counts as 0. 0: the limit of the machine. Reading throws
  /// out_of_memory before it allocates more.
  std::size_t memory_limit = 0;
  /// Bytes of `memory_limit` that the caller already uses.
  std::size_t memory_used = 0;
  /// A compressed file is refused if it unpacks to more than 64 MiB and to more than this multiple
  /// of its compressed size; 0: no limit.
  std::size_t unpack_ratio = default_unpack_ratio;
  std::optional<named_format> format{};  ///< overrides detection by extension and content
  std::string name{};                    ///< used in errors instead of the path
  /// Vertices of .csv, .tsv, .el, .wel and .txt are names; they are numbered in ascending order.
  bool names = false;
  // Only for .csv and .tsv:
  header_rule header = header_rule::automatic;
  /// The columns of source, target and, optionally, weight: names in the header, or numbers from 1.
  std::vector<std::string> columns{};
  char separator = '\0';  ///< '\0': detected from the first line
};

struct write_options {
  bool drop_values = false;  ///< let a format without values write a weighted matrix
  std::string comment{};     ///< for formats with comments; may have several lines
  int threads = 0;
  progress_function progress{};
  /// Overrides the format given by the extension. Without compression here, the extension's
  /// compression applies.
  std::optional<named_format> format{};
  bool drop_names = false;  ///< let a format without names write a graph that has them
};

/// The format of a file by its extension, ignoring compression; nothing for unknown extensions.
TROPIC_API std::optional<file_format> format_of(const std::filesystem::path& path);

/// The format of that name, which is an extension without its dot: "el", "csv.gz". Nothing for
/// other text.
TROPIC_API std::optional<named_format> format_named(std::string_view name);
/// All extensions, for messages: ".mtx, .gr, .el, ...".
TROPIC_API std::string format_endings();

/// Throws input_error, out_of_memory, cancelled; usage_error for options that the format does not
/// support.
TROPIC_API coordinates read(const std::filesystem::path& path, const read_options& options = {});

/// Reads text that is already in memory. Errors use `name`. With file_format::ldbc the text
/// contains the edges, and the vertices are those that occur in them.
TROPIC_API coordinates read_text(std::string_view text, file_format format, std::string_view name,
                                 const read_options& options = {});

/// The two halves of an LDBC graph.
TROPIC_API coordinates read_ldbc_text(std::string_view vertices, std::string_view edges,
                                      std::string_view name, const read_options& options = {});

/// The 1-based line of an entry of `from`, found by reading the file again; a mirrored entry gives
/// the line of its original. 0 if the format has no lines, or if the entry is not in the file (the
/// zero diagonal of a skew-symmetric array). `options` are those that the file was read with.
/// Throws as read() does, usage_error for an entry out of range, and input_error if the file has
/// changed and no longer contains the entry. Pipes cannot be read again and are not supported.
TROPIC_API std::size_t line_of_entry(const std::filesystem::path& path, const coordinates& from,
                                     index_t entry, const read_options& options = {});
TROPIC_API std::size_t line_of_entry(std::string_view text, file_format format,
                                     const coordinates& from, index_t entry,
                                     const read_options& options = {});

/// Writes in options.format, else by extension. Throws usage_error if the format cannot hold the
/// matrix or the path is not writable, error for failures of the system, cancelled.
///
/// - A regular file is replaced atomically: a temporary file in the same folder is renamed. The
///   file keeps its permission bits, access control list and `user.` attributes, and its owner and
///   group if the process may set them. Other hard links to it keep the old content. A file without
///   any write permission is refused, and so is a folder in which no file can be created.
/// - A symbolic link is followed and kept, also one to a file that does not exist yet.
/// - A device, a named pipe, and a descriptor of this process (/dev/stdout, /dev/fd/N, also by a
///   link) are written to at their position, and not replaced.
/// - LDBC is a pair, NAME.v and NAME.e; both files are renamed or neither. A symmetric matrix is
///   listed in both directions.
/// - Names of vertices are written to .csv and .tsv, and to edge lists if they contain no blanks.
///
/// docs/writing.md gives the reasons.
TROPIC_API void write(const std::filesystem::path& path, const coordinates& matrix,
                      const write_options& options = {});

/// The text of every format but LDBC's pair and the binary one, for callers without a file.
TROPIC_API std::string write_text(const coordinates& matrix, file_format format,
                                  const write_options& options = {});

/// A mapped `.tropic` file: compressed sparse rows, columns strictly ascending in each row. Exactly
/// one of the offset spans is used. `owner` keeps the bytes alive.
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
  std::size_t memory = 0;  ///< bytes that `owner` allocated; 0 if the file is mapped
};

struct map_options {
  /// The caller guarantees that the file is valid: only its header is checked.
  bool trusted = false;
  /// The others are those of read_options.
  int threads = 0;
  std::size_t memory_limit = 0;
  std::size_t memory_used = 0;
  std::size_t unpack_ratio = default_unpack_ratio;
  progress_function progress{};
};

/// Maps a `.tropic` file (a compressed one is unpacked to memory). The header is always checked
/// against its checksum and the size of the file. Unless `trusted`, one pass also checks all
/// offsets and columns, bools, vertex numbers, padding, and whether the entries are symmetric if
/// the header says so (by sums of hashes with a random key: a wrong flag is missed once in 2^64
/// files). Throws as read() does.
///
/// The file must not change while it is mapped: it is checked only once, and reading a part that
/// another program has truncated ends the process (SIGBUS). Map a copy of a file that others may
/// write to.
TROPIC_API mapped_csr map_binary(const std::filesystem::path& path,
                                 const map_options& options = {});

}  // namespace tropic::io
