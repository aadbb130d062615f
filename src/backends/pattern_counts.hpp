// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an inspection counts in a matrix, as whole numbers, so that every backend counts the same.
// src/plan makes features of them.
//
// Lengths of rows are counted exactly. What needs the entries themselves is counted in pieces of
// 4,096 consecutive ones, spread evenly over the matrix where it has more than are wanted.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tropic::detail {

/// How many of something there are by its size: sizes to 31 exactly, then sixteen bins an octave.
struct size_histogram {
  static constexpr std::size_t exact = 32, per_octave = 16;
  static constexpr std::size_t bins = exact + per_octave * 28;  // to 2^33
  std::array<std::uint64_t, bins> count{};

  static constexpr std::size_t bin_of(std::uint64_t size) {
    if (size < exact) return static_cast<std::size_t>(size);
    const auto octave = static_cast<std::size_t>(std::bit_width(size)) - 6;  // 0: 32 to 63
    const std::size_t step = static_cast<std::size_t>(size >> (octave + 1)) - per_octave;
    return std::min(exact + per_octave * octave + step, bins - 1);
  }
  /// The least size of a bin; that of the next one less 1 is the largest.
  static constexpr std::uint64_t least(std::size_t bin) {
    if (bin < exact) return bin;
    const std::size_t octave = (bin - exact) / per_octave, step = (bin - exact) % per_octave;
    return std::uint64_t{per_octave + step} << (octave + 1);
  }
  static constexpr double middle(std::size_t bin) {
    return bin < exact ? static_cast<double>(bin)
                       : static_cast<double>(least(bin) + least(bin + 1) - 1) / 2;
  }

  void add(std::uint64_t size) { ++count[bin_of(size)]; }
  void add(const size_histogram& other) {
    for (std::size_t bin = 0; bin < bins; ++bin) count[bin] += other.count[bin];
  }
  friend bool operator==(const size_histogram&, const size_histogram&) = default;
};

struct pattern_counts {
  static constexpr std::uint64_t piece = 4096, window = 32, tile = 128, segment = 8;
  /// Of columns, at most.
  static constexpr std::uint64_t counters = std::uint64_t{1} << 22;
  /// Bits in which the distinct segments of a piece and of a window are marked by a hash.
  static constexpr std::uint32_t piece_bits = 1 << 15, window_bits = 1 << 9;

  size_histogram rows;  // of all rows, by their entries
  /// Entries of 2, 4, 8 and 16 rows beside each other, from a multiple of that, at the most.
  std::array<std::uint64_t, 4> fullest_strips{};
  /// The entries of the longest of 2, 4, 8, 16 and 32 such rows, summed over all of them.
  std::array<std::uint64_t, 5> longest_sums{};
  std::uint64_t entries = 0;  // that were inspected; all below counts only these
  size_histogram columns;     // by their entries
  size_histogram segments;  // `segment` columns beside each other, from a multiple of it, the same
  std::uint64_t windows = 0, pieces = 0, tiles = 0;
  std::uint64_t window_marks = 0;  // bits that the segments of a window set, summed over windows
  std::uint64_t piece_marks = 0;   // the same over pieces
  std::uint64_t dense = 0;         // entries in segments of a row that have no gap
  std::uint64_t dirty_tiles = 0;   // with an empty row inside
  std::uint64_t distance = 0;      // |row - column|, summed
  std::uint64_t widest = 0;        // the largest
  std::array<std::uint64_t, 64> blocks{};  // 8 x 8 blocks of the matrix, by their entries

  friend bool operator==(const pattern_counts&, const pattern_counts&) = default;

  // --- what is counted, for those that count ---------------------------------------------------

  /// Pieces of a matrix of `nnz` entries of which at most `wanted` are inspected.
  struct sample {
    std::uint64_t nnz, all, taken;
    sample(std::uint64_t entries_of_matrix, std::uint64_t wanted)
        : nnz(entries_of_matrix),
          all((nnz + piece - 1) / piece),
          taken(std::min(
              all, std::max<std::uint64_t>(wanted / piece + (wanted % piece != 0 ? 1 : 0), 1))) {}
    /// The first entry of the n-th piece that is taken, n < taken, and the end of it.
    std::uint64_t begin(std::uint64_t n) const {
      // all < 2^52 / 2^12: the product of two such numbers may not fit, so by quotient and rest.
      const std::uint64_t quotient = all / taken, remainder = all % taken;
      return (n * quotient + n * remainder / taken) * piece;
    }
    std::uint64_t end(std::uint64_t n) const { return std::min(nnz, begin(n) + piece); }
  };
  /// Of a segment's number, below 2^29: every bit depends on all of them (the finaliser of
  /// Appleby's MurmurHash3).
  static std::uint32_t hash(std::uint64_t segment) {
    auto x = static_cast<std::uint32_t>(segment);
    x = (x ^ (x >> 16)) * 0x85ebca6bU;
    x = (x ^ (x >> 13)) * 0xc2b2ae35U;
    return x ^ (x >> 16);
  }
  /// Counters of columns: those of a segment are adjacent, and some segments may share theirs.
  static std::uint64_t counters_of(std::uint64_t columns) {
    return std::min((columns + segment - 1) / segment * segment, counters);
  }
  static std::uint64_t counter_of(std::uint64_t column, std::uint64_t columns) {
    if (columns <= counters) return column;
    return hash(column / segment) % (counters / segment) * segment + column % segment;
  }
  /// Of a row or column `at` among `n`, the block of 8.
  static std::uint64_t block_of(std::uint64_t at, std::uint64_t n) { return at * 8 / n; }
};

}  // namespace tropic::detail
