// SPDX-License-Identifier: Apache-2.0

#include <tropic/detail/structure.hpp>

#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// The product of two dimensions, or -1 if it is more than 2^32.
index_t checked_product(index_t a, index_t b) {
  return a > 0 && b > largest_dimension / a ? index_t{-1} : a * b;
}

}  // namespace

void kronecker(matrix_base& c, const operator_description& op, matrix_factor a, matrix_factor b,
               const output_options<matrix_base>& options) {
  backend& executor = common_backend("kronecker", c, a.matrix, b.matrix);
  const matrix_rule rule = rule_of("kronecker", c, options);
  const index_t rows = checked_product(rows_of(a), rows_of(b));
  const index_t columns = checked_product(columns_of(a), columns_of(b));
  if (rows < 0 || columns < 0)
    throw usage_error("kronecker: A is " + shape(a) + ", B is " + shape(b) +
                      ", their product has more than 2^32 rows or columns");
  if (c.rows != rows || c.columns != columns)
    throw usage_error("kronecker: A is " + shape(a) + ", B is " + shape(b) + ", C is " + shape(c) +
                      ", needs " + std::to_string(rows) + "x" + std::to_string(columns));
  check_type("kronecker", "A", *a.matrix.type, *op.x);
  check_type("kronecker", "B", *b.matrix.type, *op.y);
  check_type("kronecker", "C", *c.type, *op.z);
  check_has_no_position("kronecker", "the operator", op);
  in_step("kronecker", [&] {
    executor.kronecker(c, {op, a.matrix, b.matrix, a.transposed, b.transposed}, rule);
  });
}

}  // namespace tropic::detail
