// SPDX-License-Identifier: Apache-2.0

#include <tropic/semirings/from_text.hpp>

#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {

// The product with a full vector of which no value is read.
bool product_runner::reduce(vector_base& w, const monoid_description& monoid, const matrix_base& a,
                            bool transposed, const vector_rule& rule) {
  // The host would read the vector.
  if (!device_.traits().fp64 && vectors_.sum_program(monoid) == nullptr) return false;
  vector_base all;
  all.context = device_.context();
  all.type = a.type;
  all.size = all.nvals = transposed ? a.rows : a.columns;
  all.storage = vector_storage::full;
  all.values = device_.allocate(0);
  semiring_description sum;
  sum.add = monoid;
  sum.multiply = operator_from_text("x", *a.type, *a.type, *a.type, "first");
  return multiply(w, {sum, a, all, transposed, false}, rule, kernels::csr_segmented.info.name);
}

}  // namespace tropic::detail
