// SPDX-License-Identifier: Apache-2.0

#include <tropic/detail/structure.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

bool same_shape(const vector_base& w, const vector_base& u) {
  return w.size == u.size;
}
bool same_shape(const matrix_base& c, const matrix_base& a) {
  return c.rows == a.rows && c.columns == a.columns;
}

template <class Container>
void unite(Container& w, const operator_description& op, const Container& u, const void* missing_u,
           const Container& v, const void* missing_v, const output_options<Container>& options) {
  backend& executor = common_backend("ewise_union", w, u, v);
  const output_rule<Container> rule = rule_of("ewise_union", w, options);
  if (!same_shape(w, u) || !same_shape(w, v))
    throw usage_error("ewise_union: the output has shape " + shape(w) + ", the first operand " +
                      shape(u) + ", the second operand " + shape(v));
  check_type("ewise_union", "the first operand", *u.type, *op.x);
  check_type("ewise_union", "the second operand", *v.type, *op.y);
  check_type("ewise_union", "the output", *w.type, *op.z);
  check_has_no_k("ewise_union", op);
  in_step("ewise_union", [&] {
    executor.ewise_union(w, filled_operator{op, missing_u, missing_v}, u, v, rule);
  });
}

}  // namespace

void ewise_union(vector_base& w, const operator_description& op, const vector_base& u,
                 const void* missing_u, const vector_base& v, const void* missing_v,
                 const output_options<vector_base>& options) {
  unite(w, op, u, missing_u, v, missing_v, options);
}
void ewise_union(matrix_base& c, const operator_description& op, const matrix_base& a,
                 const void* missing_a, const matrix_base& b, const void* missing_b,
                 const output_options<matrix_base>& options) {
  unite(c, op, a, missing_a, b, missing_b, options);
}

}  // namespace tropic::detail
