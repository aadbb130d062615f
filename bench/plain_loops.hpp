// SPDX-License-Identifier: Apache-2.0
#pragma once

// y = A x by the plainest loops over CSR and over a list of coordinates, whole or in parts of equal
// rows, a thread each: no part knows how many entries it has. What `tropic bench permute` measures,
// and no kernel of the library.

#include <span>
#include <vector>

#include <tropic/matrix.hpp>

namespace tropic::cli {

class plain_loops {
 public:
  /// Reads the matrix on the host. Columns and offsets are the matrix's own.
  explicit plain_loops(const matrix<double>& a);

  /// `parts` 1: without threads.
  void csr(std::span<const double> x, std::span<double> y, int parts) const;
  /// Entries in order of their rows; every one reads and writes its row's sum.
  void coo(std::span<const double> x, std::span<double> y, int parts) const;

 private:
  /// f(first row, last row, first entry, last entry) for each part.
  template <class F>
  void in_parts(int parts, const F& f) const;

  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> row_;
  std::vector<double> values_;
  array_view<std::uint32_t> columns_;
};

}  // namespace tropic::cli
