// SPDX-License-Identifier: Apache-2.0
#pragma once

// The matrix that convert and generate write: where, and in which format.

#include <optional>
#include <string>
#include <vector>

#include <tropic/io.hpp>

#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

/// What can be said of a matrix before it is read or made.
struct known_content {
  std::optional<type_code> values;  // of those that are to be written
  bool names = false;
};

struct matrix_output {
  std::optional<io::named_format> format;  // --to

  void add_to(command& made);
  /// Before any work; as check_outputs, and throws usage_error where nothing says the format, a
  /// terminal would get binary data, or an LDBC graph one stream, and where the format cannot hold
  /// what is `known` of the matrix.
  void check(const program& p, const std::string& name, const std::vector<std::string>& inputs,
             const known_content& known = {}) const;
  /// The last of these alone.
  void check_holds(const std::string& name, const known_content& known) const;
  written write(const program& p, const std::string& name, const io::coordinates& entries,
                io::write_options options = {}) const;
};

}  // namespace tropic::cli
