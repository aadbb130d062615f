// SPDX-License-Identifier: Apache-2.0
#pragma once

// --output: `vertex<space>value`, a line a vertex, ascending. Names of vertices that have blanks
// stand in quotes, by the rules of CSV.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/input/load.hpp"
#include "cli/output/report.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

/// Appends the value of the vertex at a position, as text.
using append_value = std::function<void(fmt::memory_buffer&, std::size_t)>;

/// One file to write; `path` "-" is standard output, an empty one is none.
struct output {
  std::string path;
  append_value value;
};

/// The path behind the name of an output: '-' is standard output.
std::string path_to_write(const std::string& name);

/// The name for people.
std::string shown_output(const std::string& name);

/// Before any work: throws usage_error where an output cannot be written, where two outputs are one
/// file, an output is a file of `inputs` (paths, '-', or generators), or two outputs or one and
/// --json would share standard output. Files are compared by identity, not by name. Empty names are
/// none.
void check_outputs(const program& p, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs);

/// Writes every output; all files get their names at the end, or none does. One whose reader leaves
/// does not keep the others from it. Throws cancelled.
written write_outputs(const program& p, const vertex_names& vertices,
                      const std::vector<output>& outputs);

/// Writes `text` to the file, or to standard output for "-"; whole or not at all.
written write_text(const program& p, const std::string& path, std::string_view text);

/// Whether it takes standard output, by whatever name.
bool uses_standard_output(const std::string& name);

/// A value as design asks: floats with all their digits, `inf` by that name.
template <class T>
void append(fmt::memory_buffer& to, T value) {
  if constexpr (std::is_same_v<T, float>)
    fmt::format_to(std::back_inserter(to), "{:.9g}", value);
  else if constexpr (std::is_same_v<T, double>)
    fmt::format_to(std::back_inserter(to), "{:.17g}", value);
  else
    fmt::format_to(std::back_inserter(to), "{}", value);
}

}  // namespace tropic::cli
