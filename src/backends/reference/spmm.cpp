// SPDX-License-Identifier: Apache-2.0

// mxm (GraphBLAS C API 2.1, 4.3.1) with a full operand and a full result:
//
//   t(i,j) = the sum over all k, where both A(i,k) and B(k,j) are entries, of
//            multiply(A(i,k), B(k,j)), in ascending order of k
//
// Position (i, j) of the result is number i * columns + j.
// O(entries of the sparse matrix x columns of the full one x log) time.

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

entries load_full(const full_base& m) {
  entries found;
  for (const auto& [where, value] : load(m.flat()))
    found.emplace(position{where.row / m.columns, where.row % m.columns}, value);
  return found;
}

entries load_sparse(const matrix_base& m, bool transposed) {
  entries found;
  for (const auto& [where, value] : load(m))
    found.emplace(transposed ? position{where.column, where.row} : where, value);
  return found;
}

}  // namespace

void reference_backend::spmm(vector_base& c, const full_product& p, const vector_rule& rule) {
  const evaluator times(p.semiring.multiply), plus(p.semiring.add.add);
  const entries sparse = load_sparse(p.sparse, p.transposed), full = load_full(p.full);
  const entries &a = p.full_first ? full : sparse, &b = p.full_first ? sparse : full;
  cancel_watch watch(c.context);
  entries t;
  for (const auto& [at_a, x] : a) {
    const index_t i = at_a.row, k = at_a.column;
    for (auto at_b = b.lower_bound({k, 0}); at_b != b.end() && at_b->first.row == k; ++at_b) {
      watch.step();
      const index_t j = at_b->first.column;
      scalar_bytes term;
      times(term.data(), x.data(), at_b->second.data(), i, k, j);
      const auto [sum, is_first] = t.try_emplace({i * p.columns() + j}, term);
      if (is_first) continue;
      scalar_bytes both;
      plus(both.data(), sum->second.data(), term.data());
      sum->second = both;
    }
  }
  write_back(c, t, rule);
}

}  // namespace tropic::detail
