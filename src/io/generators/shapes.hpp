// SPDX-License-Identifier: Apache-2.0
#pragma once

// Stand-ins for the twenty matrices that the papers measure on: the same rows, columns, entries,
// and shortest and longest row; generated quickly and identically on every machine.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tropic::shapes {

/// The pattern of a matrix; columns ascend within a row without repetition.
struct csr {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> column;

  std::int64_t entries() const { return static_cast<std::int64_t>(column.size()); }
};

enum class row_lengths : std::uint8_t {
  near_mean,  // most rows close to the mean, the extremes rare
  wide,       // every length between the extremes is common
  few_long,   // geometric, plus a few rows up to the longest that hold a good part of the entries
  power_law,
};

struct shape {
  std::string_view name;
  std::int64_t rows, columns, entries;
  std::int64_t shortest, longest;  // lengths of the rows
  row_lengths lengths;
  std::int64_t band = 0;   // entries lie within this many columns around the diagonal; 0: anywhere
  bool irregular = false;  // one of the six of the paper
};

std::span<const shape> of_papers();
/// The shape of that name, or null.
const shape* of_papers(std::string_view name);
/// The same with rows, columns and entries divided, for quick runs.
shape shrunk(shape, std::int64_t divisor);
csr make(const shape&, int threads);

/// Rows of 0.5 to 1.5 times `mean` entries, within a band.
shape even_rows(std::int64_t mean);
/// An entry in every row and column (p7 of paper 002).
csr permutation(std::int64_t rows);

}  // namespace tropic::shapes
