// SPDX-License-Identifier: Apache-2.0

// ewise_union in steps, each of which is parallel.

#include "backends/cpu/backend.hpp"
#include "backends/union_in_steps.hpp"

namespace tropic::detail {

void cpu_backend::ewise_union(vector_base& w, const filled_operator& f, const vector_base& u,
                              const vector_base& v, const vector_rule& rule) {
  union_in_steps(*this, w, f, u, v, rule);
}
void cpu_backend::ewise_union(matrix_base& c, const filled_operator& f, const matrix_base& a,
                              const matrix_base& b, const matrix_rule& rule) {
  union_in_steps(*this, c, f, a, b, rule);
}

}  // namespace tropic::detail
