// SPDX-License-Identifier: Apache-2.0

// The Kronecker product (GraphBLAS C API 2.1, 4.3.11): every pair of entries of A and B.

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

void reference_backend::kronecker(matrix_base& c, const kronecker_product& p,
                                  const matrix_rule& rule) {
  const evaluator times(p.multiply);
  const index_t rows_of_b = p.b_transposed ? p.b.columns : p.b.rows;
  const index_t columns_of_b = p.b_transposed ? p.b.rows : p.b.columns;
  const entries a = load(p.a), b = load(p.b);
  cancel_watch watch(c.context);
  entries t;
  for (const auto& [at_a, x] : a)
    for (const auto& [at_b, y] : b) {
      watch.step();
      const auto [i, j] = p.a_transposed ? position{at_a.column, at_a.row} : at_a;
      const auto [k, l] = p.b_transposed ? position{at_b.column, at_b.row} : at_b;
      scalar_bytes z;
      times(z.data(), x.data(), y.data());
      t.emplace(position{i * rows_of_b + k, j * columns_of_b + l}, z);
    }
  write_back(c, t, rule);
}

}  // namespace tropic::detail
