// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an inspection found out about a matrix: what plans are made of, and what `tropic info` and
// `tropic explain` print.

#include <array>

#include <tropic/semirings/types.hpp>

namespace tropic {

/// Entries of rows, or of columns.
struct length_summary {
  double mean = 0, variance = 0;
  index_t least = 0, p25 = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, p999 = 0, most = 0;
  double heaviest_share = 0;  // of all entries, in the heaviest hundredth
  double entropy = 0;         // in bits: log2 of their number where all are alike (paper 004)
};

/// Lengths from 32 on are counted in sixteen steps an octave, and summaries are as exact as that.
struct pattern_summary {
  index_t rows = 0, columns = 0, nnz = 0;
  index_t empty_rows = 0, longest_row = 0;
  /// Entries that were looked at; what is not about rows is of these.
  index_t sampled = 0;
  length_summary row_lengths, column_lengths;
  /// 8 x 8 blocks of the matrix by their entries, row by row, and entropies of 2 x 2, 4 x 4 and
  /// 8 x 8 blocks in bits: at most 2, 4 and 6.
  std::array<std::uint64_t, 64> blocks{};
  std::array<double, 3> block_entropy{};
  index_t bandwidth = 0;     // the largest |row - column|
  double mean_distance = 0;  // of entries from the diagonal
  /// Segments of 8 columns met for each entry among 32 neighbours in the order of CSR, and among
  /// 4,096: 1 where each entry reads another part of x.
  double window_misses = 0, piece_misses = 0;
  double reuse = 0;        // entries for each column that has some
  double dense_share = 0;  // entries in 8 columns beside each other without a gap
  double dirty_share = 0;  // tiles of 128 entries with an empty row inside
  double seconds = 0;      // that the inspection took
};

}  // namespace tropic
