// SPDX-License-Identifier: Apache-2.0

// mxm and reduce_mxm on the CPU: method.cpp chooses how, multiply_rows.cpp deals the rows to
// threads, sorted_rows.cpp computes one row by the kernels of the semiring
// (tropic/detail/cpu_mxm_kernels.hpp) and sorts it.

#include "backends/cpu/backend.hpp"
#include "backends/cpu/mxm/multiply_rows.hpp"
#include "backends/cpu/rows.hpp"

namespace tropic::detail {

using namespace on_cpu;

namespace {

bool has_no_products(const matrix_product& p, const matrix_rule& rule) {
  return p.a.nnz == 0 || p.b.nnz == 0 ||
         (rule.mask != nullptr && !rule.complemented && rule.mask->nnz == 0);
}

}  // namespace

void cpu_backend::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  if (has_no_products(p, rule))
    return write_back(
        c, empty_matrix(context_.shared_from_this(), p.semiring.z(), p.rows(), p.columns()), rule);
  matrix_base t = [&] {
    const prepared_mxm prepared(here, p, rule,
                                [&](const matrix_base& m) { return transpose_of(m); });
    return multiply_rows(here, context_, prepared);
  }();
  // The product lies within the mask: there is nothing to merge unless c keeps entries.
  const bool keeps = c.nnz > 0 && (rule.accumulator != nullptr || (rule.mask && !rule.replace));
  write_back(c, std::move(t), keeps ? rule : matrix_rule{});
}

bool cpu_backend::reduce_mxm(void* result, const monoid_description& monoid,
                             const matrix_product& p, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  const bool any = !has_no_products(p, rule) &&
                   sum_of_rows(context_,
                               prepared_mxm(here, p, rule,
                                            [&](const matrix_base& m) { return transpose_of(m); }),
                               monoid, result);
  if (!any) std::memcpy(result, monoid.identity.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
