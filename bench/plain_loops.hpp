// SPDX-License-Identifier: Apache-2.0
#pragma once

// y = A x by plain loops over CSR and over coordinates, sequential or divided into parts of equal
// rows, one per thread, independent of their numbers of entries. A baseline of
// tropic_bench_permute; the library has no such kernels.

#include <cstdint>
#include <span>
#include <vector>

#include <tropic/matrix.hpp>

namespace tropic::cli {

class plain_loops {
 public:
  /// Reads the matrix on the host. Shares its column indices.
  explicit plain_loops(const matrix<double>& a);

  /// One part runs without threads.
  void csr(std::span<const double> x, std::span<double> y, int parts) const;
  /// Entries in row order; each one reads and writes the sum of its row.
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
