// SPDX-License-Identifier: Apache-2.0
#pragma once

// The header of a Matrix Market file.

#include <optional>
#include <string_view>
#include <tropic/io.hpp>

#include "io/text.hpp"

namespace tropic::io::detail {

enum class mm_layout : std::uint8_t { coordinate, array };
enum class mm_field : std::uint8_t { real, integer, complex, pattern };
enum class mm_symmetry : std::uint8_t { general, symmetric, skew_symmetric, hermitian };

struct mm_header {
  mm_layout layout = mm_layout::coordinate;
  mm_field field = mm_field::real;
  mm_symmetry symmetry = mm_symmetry::general;
  type_code type = type_code::fp64;  ///< of the values, as stated in the file
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  ///< data lines that the header states
  std::string_view body;      ///< the text after the size line
};

mm_header read_mm_header(std::string_view text, bool lenient);

}  // namespace tropic::io::detail
