// SPDX-License-Identifier: Apache-2.0
#pragma once

// A picture of a sparse matrix and the kernel chosen for it: where its entries are, how long its
// rows are, how evenly the entries spread over blocks, and the predicted cost of each kernel.
// Written by `tropic explain FILE --picture OUT.svg`.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tropic/detail/containers.hpp>
#include <tropic/plan.hpp>

namespace tropic::detail {

/// The rows whose number of entries lies in [shortest, longest].
struct length_bin {
  index_t shortest = 0, longest = 0;
  std::uint64_t rows = 0;
};

struct picture_bar {
  std::string name;
  /// Negative and non-finite values are drawn as unknown.
  double predicted_seconds = 0;
  std::optional<double> measured_seconds{};
  bool chosen = false;
  /// If not empty, the kernel was excluded: this reason is printed instead of bars.
  std::string why_not{};
};

struct picture_content {
  std::string title;     // kron:18
  std::string subtitle;  // 262,144 x 262,144, 7,600,000 entries; min_plus over fp32 on cuda:0
  index_t rows = 0, columns = 0, nnz = 0;
  /// Number of cells that the matrix is divided into to show where its entries are.
  std::uint32_t grid_rows = 0, grid_columns = 0;
  /// Entries of each cell, row by row.
  std::vector<std::uint64_t> density;
  /// Ascending. Bins whose bounds double look best.
  std::vector<length_bin> row_lengths;
  /// Entries of 8 x 8 blocks, row by row; 4 x 4 and 2 x 2 are sums of them.
  std::array<std::uint64_t, 64> blocks{};
  /// Entropy of the shares of 2 x 2, 4 x 4 and 8 x 8 blocks, in bits: at most 2, 4 and 6.
  std::array<double, 3> entropy{};
  std::vector<picture_bar> candidates;
  std::string timed = "a call";  // the product that the seconds refer to
  /// The choice as a sentence.
  std::string reason;
};

/// The content for a matrix and a plan for it, whose first candidate is the choice; title and
/// subtitle stay empty. Entries are counted on the host, O(nnz).
picture_content content_of(const matrix_base&, const plan&);

/// A self-contained SVG. Equal contents give equal files.
std::string draw(const picture_content&);

}  // namespace tropic::detail
