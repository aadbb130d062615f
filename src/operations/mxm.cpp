// SPDX-License-Identifier: Apache-2.0
#include "operations/positions.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// What both operations ask of the operands.
matrix_product product_of(const char* name, const semiring_description& semiring,
                          const matrix_factor& a, const matrix_factor& b) {
  const matrix_product p{semiring, a.matrix, b.matrix, a.transposed, b.transposed};
  const index_t rows_of_b = b.transposed ? b.matrix.columns : b.matrix.rows;
  if (p.inner() != rows_of_b)
    throw usage_error(std::string(name) + ": A" + (a.transposed ? "'" : "") + " is " + shape(a) +
                      ", B" + (b.transposed ? "'" : "") + " is " + shape(b) + ", needs " +
                      std::to_string(p.inner()) + " rows");
  check_type(name, "A", *a.matrix.type, semiring.a());
  check_type(name, "B", *b.matrix.type, semiring.x());
  check_has_no_position(name, "the semiring's add", semiring.add.add);
  return p;
}

// A kernel that the caller names.
void check_kernel(const backend& executor, std::string_view kernel, const matrix_rule& rule) {
  const kernel_info* row = find_row(executor.mxm_kernels(), kernel);
  if (row == nullptr)
    throw usage_error("mxm: no kernel '" + std::string(kernel) + "', expected one of " +
                      names_of(executor.mxm_kernels(), ", "));
  if (row->needs_mask && (rule.mask == nullptr || rule.complemented))
    throw usage_error("mxm: kernel " + std::string(kernel) + " computes entries of a mask, found " +
                      (rule.mask == nullptr ? "no mask" : "a complemented mask"));
}

}  // namespace

void mxm(matrix_base& c, const semiring_description& semiring, matrix_factor a, matrix_factor b,
         const output_options<matrix_base>& options) {
  backend& executor = common_backend("mxm", c, a.matrix, b.matrix);
  const matrix_rule rule = rule_of("mxm", c, options);
  matrix_product p = product_of("mxm", semiring, a, b);
  if (c.rows != p.rows() || c.columns != p.columns())
    throw usage_error("mxm: A is " + shape(a) + ", B is " + shape(b) + ", C is " + shape(c) +
                      ", needs " + std::to_string(p.rows()) + "x" + std::to_string(p.columns()));
  check_type("mxm", "C", *c.type, semiring.z());
  if (options.forced != nullptr && !options.forced->kernel.empty()) {
    check_kernel(executor, options.forced->kernel, rule);
    p.kernel = options.forced->kernel;
  }
  in_step("mxm", [&] { executor.mxm(c, p, rule); });
}

bool reduce_mxm(void* result, const monoid_description& monoid,
                const semiring_description& semiring, matrix_factor a, matrix_factor b,
                const mask_base<matrix_base>& mask) {
  backend& executor = common_backend("reduce_mxm", a.matrix, b.matrix);
  const matrix_product p = product_of("reduce_mxm", semiring, a, b);
  // The shape and type of the product that is not built, for the checks of the mask.
  matrix_base product;
  product.context = a.matrix.context;
  product.type = &semiring.z();
  product.rows = p.rows();
  product.columns = p.columns();
  output_options<matrix_base> options;
  options.mask = mask;
  const matrix_rule rule = rule_of("reduce_mxm", product, options);
  check_type("reduce_mxm", "the product", semiring.z(), *monoid.add.x);
  check_has_no_position("reduce_mxm", "the monoid", monoid.add);
  return in_step("reduce_mxm", [&] { return executor.reduce_mxm(result, monoid, p, rule); });
}

}  // namespace tropic::detail
