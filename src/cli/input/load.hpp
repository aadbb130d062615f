// SPDX-License-Identifier: Apache-2.0
#pragma once

// From FILE, a path or a generator, to the matrix of a command.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include <tropic/detail/containers.hpp>
#include <tropic/io.hpp>
#include <tropic/read_matrix.hpp>

#include "cli/program.hpp"

namespace tropic::cli {

/// The names of the vertices in the file, or their numbers: those of an LDBC file, 1-based in
/// DIMACS, otherwise 0-based.
class vertex_names {
 public:
  vertex_names() = default;
  vertex_names(std::vector<index_t> ids, index_t first, index_t count)
      : ids_(std::move(ids)), first_(first), count_(count) {}
  /// Takes the names and numbers of `from`.
  explicit vertex_names(io::coordinates& from)
      : ids_(std::move(from.vertex_ids)),
        names_(std::move(from.vertex_names)),
        first_(from.first_vertex_id),
        count_(from.rows) {}

  /// Bytes of the names and numbers.
  std::size_t bytes() const { return names_.bytes() + ids_.capacity() * sizeof(index_t); }
  /// Keeps a reservation of bytes() against the memory limit.
  void set_reservation(std::shared_ptr<const void> reservation) {
    reservation_ = std::move(reservation);
  }

  bool has_names() const { return !names_.empty(); }
  /// Only if vertices have numbers.
  index_t number(index_t position) const {
    return ids_.empty() ? position + first_ : ids_[static_cast<std::size_t>(position)];
  }
  /// For messages: a number, or a name in printable characters, quoted if it contains blanks.
  std::string label(index_t position) const;
  /// For JSON: a number, or the name unchanged.
  nlohmann::ordered_json json(index_t position) const;
  /// For output lines: a number, or a name, quoted if it contains blanks or is ambiguous; -1 for
  /// the position -1.
  void append(fmt::memory_buffer& to, index_t position) const;

  /// The vertex with that number or unquoted name.
  std::optional<index_t> position(std::string_view text) const;
  index_t count() const { return count_; }
  /// "0 to 41", for messages.
  std::string range() const;

 private:
  std::vector<index_t> ids_;
  io::name_table names_;
  index_t first_ = 0, count_ = 0;
  std::shared_ptr<const void> reservation_;
};

struct load_options {
  std::string file;
  /// Refuse a rectangular matrix.
  bool graph = true;
  /// Read the pattern only; all values are `true`.
  bool ignore_values = false;
  /// Read the pattern of a complex matrix, which is refused otherwise.
  bool structure_of_complex = false;
  /// Generate graphs with weights 1 to 255.
  bool weighted = false;
  bool refuse_nan = false;
  bool refuse_negative = false;
  /// Bytes of an element of the vectors that the command needs; 0: the size of a matrix value.
  std::size_t vector_bytes = sizeof(index_t);
  /// The default of --duplicates.
  duplicates rule = duplicates::minimum;
  /// The value type for the type in the file, unless --type is given.
  std::function<type_code(type_code)> type = [](type_code found) { return found; };
};

struct loaded {
  detail::matrix_base matrix;
  vertex_names vertices;
  type_code file_type = type_code::boolean;
  bool pattern = false;      // the file has no values
  bool complex = false;      // the file has complex values, which are ignored
  index_t file_entries = 0;  // including repeated entries
  double seconds = 0;        // to read the file and build the matrix
};

/// Throws input_error or usage_error; cancelled; out_of_memory with the name of the file, also if
/// the memory limit does not allow a vector over its rows and one over its columns.
loaded load(const program& p, const context& where, const load_options& options);

/// The entries of FILE, unchanged.
io::coordinates read_entries(const program& p, const std::string& file, bool weighted);
/// The matrix of a file, if its entries could be placed by `plan` while they were read; otherwise
/// `from` lists them (detail::read_rows). Generated graphs are always listed.
std::optional<detail::matrix_base> read_rows(const program& p, const context& where,
                                             const std::string& file, bool weighted,
                                             const detail::read_plan_function& plan,
                                             io::coordinates& from, index_t& entries);

/// The options for reading, from the command line.
io::read_options reading(const program& p);
/// FILE as a path: '-' is standard input.
std::string path_of(const std::string& file);
/// Whether FILE can be opened again with the same content: only regular files can. Opening a named
/// pipe again would wait for another writer.
bool can_be_read_again(const std::string& file);

/// The line of an entry; 0 if it cannot be found again (a pipe, a generated graph).
std::size_t line_of(const program& p, const std::string& file, const io::coordinates& from,
                    std::size_t entry);

/// Throws input_error with the line of the first entry that repeats a position.
void refuse_duplicates(const program& p, const std::string& file, const io::coordinates& entries);

/// CSR from entries. With `pattern` every value is `true`.
detail::matrix_base build(const program& p, const context& where, const io::coordinates& from,
                          bool pattern, duplicates rule, const std::string& file);

/// Before any work: throws usage_error if --source cannot be a vertex of any graph.
void check_source(const program& p, const std::optional<std::string>& named);
/// --source, or by default the first vertex with an edge. Throws usage_error if the graph has no
/// such vertex.
index_t source_of(const loaded& graph, const std::optional<std::string>& named,
                  const std::string& file);

}  // namespace tropic::cli
