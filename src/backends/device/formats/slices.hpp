// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of a matrix in segments, and these in slices of 32 of nearly equal lengths: what the formats
// of csr_hubs and csr_bits have in common (formats/slices.h).

#include <cstdint>
#include <string_view>
#include <vector>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/program/program.hpp"

namespace tropic::detail {

/// How a format cuts rows and orders segments.
struct slice_rules {
  static constexpr std::uint32_t lanes = 32;  // segments of a slice
  std::string_view conversion;                // what errors are attributed to
  std::uint32_t piece;                        // entries of a row that are cut off at a time
  std::uint32_t longest;                      // steps that a segment of a piece takes at most
  std::uint32_t kinds;                        // of segments
  std::uint32_t first_row_kind;               // from it on, a segment is a row
  std::uint32_t even_kinds;     // the first ones: steps are rounded up to even numbers
  std::uint32_t short_segment;  // steps up to which neighbouring segments stay near one another
  std::uint32_t few;            // segments of a row that one work-item adds

  /// Constants of the program that makes the format.
  program_constants constants() const;
};

/// Rows cut into pieces, and the steps of each kind of segment in them.
struct cut_rows {
  prefix_sums of_rows;  // the pieces before each row
  std::uint64_t pieces = 0;
  buffer_pointer begins;       // a word a piece, and one more
  buffer_pointer rows;         // the row of each piece
  buffer_pointer counts, any;  // a word and a byte for each kind of a piece, to be written
};
cut_rows cut_into_pieces(device_context&, const matrix_base&, const slice_rules&,
                         const compiled_program&);

/// Segments in slices.
struct placed_segments {
  prefix_sums before;  // the segments before each count of a piece
  std::uint64_t segments = 0;
  buffer_pointer places;              // by segment
  std::vector<std::uint32_t> firsts;  // the first slice of each kind, and the end
  buffer_pointer slices;              // the first step of each slice, and the end
  std::vector<std::uint32_t> steps;   // before each kind, and of all

  /// Of the first segment that is a row, and the end of all.
  std::uint64_t first_row_place(const slice_rules& rules) const {
    return std::uint64_t{firsts[rules.first_row_kind]} * slice_rules::lanes;
  }
  std::uint64_t end() const { return std::uint64_t{firsts.back()} * slice_rules::lanes; }
};
placed_segments place_segments(device_context&, const cut_rows&, const slice_rules&,
                               const compiled_program&);

/// How the sums of rows come from those of segments.
struct joined_rows {
  buffer_pointer segments;             // those before each row
  buffer_pointer few;                  // rows whose segments one work-item adds
  buffer_pointer count_of_many, many;  // rows of more, any order
};
joined_rows join_rows(device_context&, std::uint64_t rows, const cut_rows&, const placed_segments&,
                      const slice_rules&, const compiled_program&);

/// The parts of a copy in the order of in_slices, without those of one format.
std::vector<buffer_pointer> parts_in_slices(buffer_pointer bounds, buffer_pointer values,
                                            buffer_pointer row_at, const placed_segments&,
                                            const joined_rows&, buffer_pointer order,
                                            buffer_pointer filled);

}  // namespace tropic::detail
