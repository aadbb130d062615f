// SPDX-License-Identifier: Apache-2.0
#include "backends/device/program/inspect_program.hpp"

#include <algorithm>

namespace tropic::detail {

program_request inspect_request(std::size_t group) {
  using s = pattern_counts;
  return {.kernel = "inspect",
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                        {"T_BINS", static_cast<long>(size_histogram::bins)},
                        {"T_PIECE", static_cast<long>(s::piece)},
                        {"T_WINDOW", static_cast<long>(s::window)},
                        {"T_TILE", static_cast<long>(s::tile)},
                        {"T_SEGMENT", static_cast<long>(s::segment)},
                        {"T_COUNTERS", static_cast<long>(s::counters)},
                        {"T_PIECE_BITS", static_cast<long>(s::piece_bits)},
                        {"T_WINDOW_BITS", static_cast<long>(s::window_bits)}}};
}

void read_inspected(pattern_counts& counts, std::span<const std::uint32_t, inspected_words> found) {
  const std::uint32_t* next = found.data();
  for (size_histogram* sizes : {&counts.rows, &counts.columns, &counts.segments}) {
    std::copy_n(next, size_histogram::bins, sizes->count.begin());
    next += size_histogram::bins;
  }
  std::copy_n(next, counts.blocks.size(), counts.blocks.begin());
  next += counts.blocks.size();
  counts.window_marks = next[0];
  counts.piece_marks = next[1];
  counts.dense = next[2];
  counts.dirty_tiles = next[3];
  counts.widest = next[4];
  counts.distance = std::uint64_t{next[6]} << 32 | next[5];
  next += 7;
  std::copy_n(next, counts.fullest_strips.size(), counts.fullest_strips.begin());
  next += counts.fullest_strips.size();
  std::copy_n(next, counts.longest_sums.size(), counts.longest_sums.begin());
}

}  // namespace tropic::detail
