// SPDX-License-Identifier: Apache-2.0
#pragma once

// The results of the inspection of a matrix: the input of plans, printed by `tropic info` and
// `tropic explain`.

#include <array>

#include <tropic/semirings/types.hpp>

namespace tropic {

/// Numbers of entries per row, or per column.
struct length_summary {
  double mean = 0, variance = 0;
  index_t minimum = 0, p25 = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, p999 = 0, maximum = 0;
  double heaviest_share = 0;  // of all entries, in the heaviest 1 % of rows
  double entropy = 0;         // in bits: log2 of their number if all are equally long
};

/// The result of inspecting a matrix. Row and column lengths of 32 and more are counted in sixteen
/// bins per octave, so statistics of them are approximate.
struct pattern_summary {
  index_t rows = 0, columns = 0, nnz = 0;
  index_t empty_rows = 0, longest_row = 0;
  /// The number of entries inspected; everything but statistics of rows refers to these.
  index_t sampled = 0;
  length_summary row_lengths, column_lengths;
  /// 8 x 8 blocks of the matrix by their entries, row by row, and entropies of 2 x 2, 4 x 4 and
  /// 8 x 8 blocks in bits: at most 2, 4 and 6.
  std::array<std::uint64_t, 64> blocks{};
  std::array<double, 3> block_entropy{};
  index_t bandwidth = 0;     // the largest |row - column|
  double mean_distance = 0;  // of entries from the diagonal
  /// Distinct segments of 8 columns per entry, within 32 consecutive entries in CSR order, and
  /// within 4,096: 1 if each entry reads a different segment of x.
  double segments_per_entry_32 = 0, segments_per_entry_4096 = 0;
  double reuse = 0;        // entries per non-empty column
  double dense_share = 0;  // share of entries in runs of 8 adjacent columns
  double dirty_share = 0;  // share of tiles of 128 entries that contain an empty row
  double seconds = 0;      // duration of the inspection
};

}  // namespace tropic
