// SPDX-License-Identifier: Apache-2.0
#pragma once

// From FILE, a path or a generator's name, to the matrix that a command works on.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tropic/detail/containers.hpp>
#include <tropic/io.hpp>

#include "cli/program.hpp"

namespace tropic::cli {

/// The vertices' numbers in the file: LDBC's own, from one on in DIMACS, else 0-based.
class vertex_names {
 public:
  vertex_names() = default;
  vertex_names(std::vector<index_t> ids, index_t first, index_t count)
      : ids_(std::move(ids)), first_(first), count_(count) {}

  index_t name(index_t position) const {
    return ids_.empty() ? position + first_ : ids_[static_cast<std::size_t>(position)];
  }
  std::optional<index_t> position(index_t name) const;
  index_t count() const { return count_; }
  /// "0 to 41", for messages.
  std::string range() const;

 private:
  std::vector<index_t> ids_;
  index_t first_ = 0, count_ = 0;
};

struct load_options {
  std::string file;
  /// A rectangular matrix is refused.
  bool graph = true;
  /// The matrix becomes a pattern of `true`.
  bool ignore_values = false;
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

/// Throws input_error naming the line of an entry whose position another one has already.
void refuse_duplicates(const std::string& file, const io::coordinates& entries);

/// CSR from entries. `pattern`: every value is `true`.
detail::matrix_base build(const context& where, const io::coordinates& from, bool pattern,
                          duplicates rule, const std::string& file);

/// --source, or the first vertex that has an edge. Throws usage_error where there is none such.
index_t source_of(const loaded& graph, const std::optional<index_t>& named,
                  const std::string& file);

}  // namespace tropic::cli
