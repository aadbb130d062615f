// SPDX-License-Identifier: Apache-2.0
#pragma once

// What commands write: values of vertices, a line `vertex value` for each in ascending order (names
// with blanks are quoted as in CSV); text; and the matrices of convert and generate.

#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <tropic/io.hpp>

#include "cli/input/load.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

/// Appends the value of the vertex at a position, as text.
using append_value = std::function<void(fmt::memory_buffer&, std::size_t)>;

/// A file to write; `path` "-" is standard output, an empty path no output.
struct output {
  std::string path;
  append_value value;
};

/// The path of an output: that of standard output for '-'.
std::string path_to_write(const std::string& name);

/// The name of an output for messages.
std::string shown_output(const std::string& name);

/// Before any work: throws usage_error if an output cannot be written, two outputs are the same
/// file, an output is one of `inputs` (paths, '-' or generators), or two outputs, or one and
/// --json, would share standard output. Files are compared by identity, not by name. Empty names
/// are ignored.
void check_outputs(const program& p, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs);

/// Writes every output; either all files get their names at the end or none does. A reader that
/// leaves early does not affect the other outputs. Throws cancelled.
written write_outputs(const program& p, const vertex_names& vertices,
                      const std::vector<output>& outputs);

/// Writes `text` to the file, or to standard output for "-", completely or not at all.
written write_text(const program& p, const std::string& path, std::string_view text);

/// Whether the output is standard output, under any name.
bool uses_standard_output(const std::string& name);

/// What is known about a matrix before it is read or generated.
struct known_content {
  std::optional<type_code> values;  // the type of the values to write
  bool names = false;
};

/// The output matrix of convert and generate.
struct matrix_output {
  std::optional<io::named_format> format;  // --to

  void add_to(command& target);
  /// Before any work: as check_outputs; also throws usage_error if no format is given, binary data
  /// would go to a terminal, an LDBC graph would go to one stream, or the format cannot hold the
  /// `known` content of the matrix.
  void check(const program& p, const std::string& name, const std::vector<std::string>& inputs,
             const known_content& known = {}) const;
  /// The last of these checks.
  void check_holds(const std::string& name, const known_content& known) const;
  written write(const program& p, const std::string& name, const io::coordinates& entries,
                io::write_options options = {}) const;
  /// Whether the output is a `.tropic` file, and writes one.
  bool is_binary(const std::string& name) const;
  written write(const program& p, const std::string& name, const io::mapped_csr& rows) const;

 private:
  template <class Write>
  written write_by(const program& p, const std::string& name, io::write_options options,
                   Write&& write) const;
};

/// Appends a value; floating-point numbers with enough digits to read back the same value.
template <class T>
void append(fmt::memory_buffer& to, T value) {
  // Not fmt::format_to: every source that calls it compiles the formatter of fmt anew.
  if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    to.append(text, std::to_chars(text, text + sizeof text, value, std::chars_format::general,
                                  std::numeric_limits<T>::max_digits10)
                        .ptr);
  } else if constexpr (std::is_same_v<T, bool>) {
    to.append(std::string_view(value ? "true" : "false"));
  } else {
    const fmt::format_int digits(value);
    to.append(digits.data(), digits.data() + digits.size());
  }
}

}  // namespace tropic::cli
