// SPDX-License-Identifier: Apache-2.0

// Lists the matrices, and compares the synthetic ones with the published shapes. Needs no device.

#include <algorithm>
#include <chrono>

#include "matrices.hpp"
#include "spmv.hpp"

namespace bench {

bool list(const settings& s) {
  fmt::print("{:<20} {:>8} {:>8} {:>10} {:>9} {:>6} {:>9}  {:>8}\n", "matrix", "rows", "columns",
             "entries", "shortest", "mean", "longest", "seconds");
  bool all_fit = true;
  for (const std::string& name : s.all_matrices()) {
    const auto start = std::chrono::steady_clock::now();
    const csr m = matrix_named(name, s.shrink);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::int64_t shortest = m.columns, longest = 0;
    bool ascending = true;
    for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) {
      const auto length = static_cast<std::int64_t>(m.offsets[r + 1] - m.offsets[r]);
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
      for (std::size_t e = m.offsets[r] + 1; e < m.offsets[r + 1]; ++e)
        ascending = ascending && m.column[e - 1] < m.column[e];
      ascending = ascending && (length == 0 || m.column[m.offsets[r + 1] - 1] < m.columns);
    }
    bool fits = ascending;
    if (const shape* plain = published_shape(name)) {
      const shape published = tropic::shapes::shrunk(*plain, s.shrink);
      fits = fits && m.entries() == published.entries && shortest == published.shortest &&
             longest == published.longest;
    }
    fmt::print(
        "{:<20} {:>8} {:>8} {:>10} {:>9} {:>6.1f} {:>9} {:>8.2f}{}\n", name, m.rows, m.columns,
        m.entries(), shortest,
        static_cast<double>(m.entries()) / static_cast<double>(std::max<std::int64_t>(1, m.rows)),
        longest, took.count(), fits ? "" : "  NOT AS PUBLISHED");
    std::fflush(stdout);
    all_fit = all_fit && fits;
  }
  return all_fit;
}

}  // namespace bench
