// SPDX-License-Identifier: Apache-2.0
#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

void transpose(matrix_base& c, const matrix_base& a, const output_options<matrix_base>& options) {
  backend& executor = common_backend("transpose", c, a);
  const matrix_rule rule = rule_of("transpose", c, options);
  if (c.rows != a.columns || c.columns != a.rows)
    throw usage_error("transpose: A is " + shape(a) + ", C is " + shape(c));
  check_type("transpose", "A", *a.type, *c.type);
  in_step("transpose", [&] { executor.transpose(c, a, rule); });
}

}  // namespace tropic::detail
