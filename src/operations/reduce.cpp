// SPDX-License-Identifier: Apache-2.0
#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

void reduce(vector_base& w, const monoid_description& monoid, const matrix_base& a, bool transposed,
            const output_options<vector_base>& options) {
  backend& executor = common_backend("reduce", w, a);
  const vector_rule rule = rule_of("reduce", w, options);
  const index_t needed = transposed ? a.columns : a.rows;
  if (w.size != needed)
    throw usage_error("reduce: A is " + shape(a) + ", w has " + std::to_string(w.size) +
                      " entries, needs " + std::to_string(needed));
  check_type("reduce", "A", *a.type, *monoid.add.x);
  check_type("reduce", "w", *w.type, *monoid.add.z);
  check_has_no_position("reduce", "the monoid", monoid.add);
  in_step("reduce", [&] { executor.reduce(w, monoid, a, transposed, rule); });
}

bool reduce(void* result, const monoid_description& monoid, const vector_base& u) {
  check_type("reduce", "u", *u.type, *monoid.add.x);
  check_has_no_position("reduce", "the monoid", monoid.add);
  backend& executor = common_backend("reduce", u);
  return in_step("reduce", [&] { return executor.reduce(result, monoid, u); });
}
bool reduce(void* result, const monoid_description& monoid, const matrix_base& a) {
  check_type("reduce", "A", *a.type, *monoid.add.x);
  check_has_no_position("reduce", "the monoid", monoid.add);
  backend& executor = common_backend("reduce", a);
  return in_step("reduce", [&] { return executor.reduce(result, monoid, a); });
}

}  // namespace tropic::detail
