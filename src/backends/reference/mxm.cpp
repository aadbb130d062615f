// SPDX-License-Identifier: Apache-2.0

// mxm (GraphBLAS C API 2.1, 4.3.1):
//
//   t(i,j) = the sum over all k, where both A(i,k) and B(k,j) are entries, of
//            multiply(A(i,k), B(k,j)), in ascending order of k
//
// The mask is applied at the end, like that of any other operation.
// O(products log products) time.

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

entries load_factor(const matrix_base& m, bool transposed) {
  const entries found = load(m);
  if (!transposed) return found;
  entries result;
  for (const auto& [where, value] : found) result.emplace(position{where.column, where.row}, value);
  return result;
}

entries product_of(const matrix_product& p) {
  const evaluator times(p.semiring.multiply), plus(p.semiring.add.add);
  const entries a = load_factor(p.a, p.a_transposed), b = load_factor(p.b, p.b_transposed);
  cancel_watch watch(p.a.context);
  entries t;
  for (const auto& [at_a, x] : a) {
    const index_t i = at_a.row, k = at_a.column;
    for (auto at_b = b.lower_bound({k, 0}); at_b != b.end() && at_b->first.row == k; ++at_b) {
      watch.step();
      const index_t j = at_b->first.column;
      scalar_bytes term;
      times(term.data(), x.data(), at_b->second.data(), i, k, j);
      const auto [sum, is_first] = t.try_emplace({i, j}, term);
      if (is_first) continue;
      scalar_bytes both;
      plus(both.data(), sum->second.data(), term.data());
      sum->second = both;
    }
  }
  return t;
}

}  // namespace

void reference_backend::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  write_back(c, product_of(p), rule);
}

bool reference_backend::reduce_mxm(void* result, const monoid_description& monoid,
                                   const matrix_product& p, const matrix_rule& rule) {
  const mask_function mask = mask_of(rule);
  const evaluator plus(monoid.add);
  cancel_watch watch(p.a.context);
  scalar_bytes sum = monoid.identity;
  bool any = false;
  for (const auto& [where, value] : product_of(p)) {
    watch.step();
    if (!mask(where)) continue;
    scalar_bytes both = value;
    if (any) plus(both.data(), sum.data(), value.data());
    sum = both;
    any = true;
  }
  std::memcpy(result, sum.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
