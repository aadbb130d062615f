// SPDX-License-Identifier: Apache-2.0
#pragma once

// From FILE, a path or a generator's name, to the matrix that a command works on.

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

#include "cli/program.hpp"

namespace tropic::cli {

/// What the vertices are called in the file: names, or numbers: LDBC's own, from one on in DIMACS,
/// else 0-based.
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
  /// What counts them as long as they live.
  void count(std::shared_ptr<const void> counted) { counted_ = std::move(counted); }

  bool has_names() const { return !names_.empty(); }
  /// Where vertices have numbers.
  index_t number(index_t position) const {
    return ids_.empty() ? position + first_ : ids_[static_cast<std::size_t>(position)];
  }
  /// For people: a number, or a name, quoted where it has blanks, in printable characters.
  std::string label(index_t position) const;
  /// For programs: a number, or a name as it is.
  nlohmann::ordered_json json(index_t position) const;
  /// For a line of an output: a number, or a name, quoted where it has blanks or could be taken for
  /// something else; -1 for the position -1.
  void append(fmt::memory_buffer& to, index_t position) const;

  /// The vertex of that number or name, without quotes round it.
  std::optional<index_t> position(std::string_view text) const;
  index_t count() const { return count_; }
  /// "0 to 41", for messages.
  std::string range() const;

 private:
  std::vector<index_t> ids_;
  io::name_table names_;
  index_t first_ = 0, count_ = 0;
  std::shared_ptr<const void> counted_;
};

struct load_options {
  std::string file;
  /// A rectangular matrix is refused.
  bool graph = true;
  /// The matrix becomes a pattern of `true`.
  bool ignore_values = false;
  /// The same where values are complex, which are refused otherwise.
  bool structure_of_complex = false;
  /// A generated graph gets weights 1 to 255.
  bool weighted = false;
  /// NaN among the values is refused, and what is negative.
  bool refuse_nan = false;
  bool refuse_negative = false;
  /// Bytes of an element of the vectors that the work needs; 0: as many as the matrix's values.
  std::size_t vector_bytes = sizeof(index_t);
  /// What --duplicates overrides.
  duplicates rule = duplicates::minimum;
  /// The values' type for what the file holds, where --type does not say.
  std::function<type_code(type_code)> type = [](type_code found) { return found; };
};

struct loaded {
  detail::matrix_base matrix;
  vertex_names vertices;
  type_code file_type = type_code::boolean;
  bool pattern = false;      // the file has no values
  bool complex = false;      // it has pairs, which are ignored
  index_t file_entries = 0;  // before repeated ones are resolved
  double seconds = 0;        // reading and building
};

/// Throws input_error or usage_error; cancelled; out_of_memory, naming the file, also where there
/// is no room for a vector over its rows and one over its columns.
loaded load(const program& p, const context& where, const load_options& options);

/// The entries of FILE as they stand there.
io::coordinates read_entries(const program& p, const std::string& file, bool weighted);

/// How files are read, as the options say.
io::read_options reading(const program& p);
/// FILE as a path: '-' is standard input.
std::string path_of(const std::string& file);
/// Whether FILE may be opened again and have the same bytes: regular files alone. To open a named
/// pipe again is to wait for another writer.
bool can_be_read_again(const std::string& file);

/// The line of an entry; 0 where it cannot be found again (a pipe, a generated graph).
std::size_t line_of(const program& p, const std::string& file, const io::coordinates& from,
                    std::size_t entry);

/// Throws input_error naming the line of an entry whose position another one has already.
void refuse_duplicates(const program& p, const std::string& file, const io::coordinates& entries);

/// CSR from entries. `pattern`: every value is `true`.
detail::matrix_base build(const program& p, const context& where, const io::coordinates& from,
                          bool pattern, duplicates rule, const std::string& file);

/// Before any work: throws usage_error where --source cannot be a vertex of any graph.
void check_source(const program& p, const std::optional<std::string>& named);
/// --source, or the first vertex that has an edge. Throws usage_error where there is none such.
index_t source_of(const loaded& graph, const std::optional<std::string>& named,
                  const std::string& file);

}  // namespace tropic::cli
