// SPDX-License-Identifier: Apache-2.0

// mxm and reduce_mxm on the CPU: method.cpp chooses how, multiply_rows.cpp deals the rows to
// threads, sorted_rows.cpp computes one row by the kernels of the semiring
// (tropic/detail/cpu/mxm_kernels.hpp) and sorts it.

#include "backends/cpu/backend.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/mxm/multiply_rows.hpp"

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
    prepared_mxm prepared(here, p, rule, [&](const matrix_base& m) { return transpose_of(m); });
    return multiply_rows(here, context_, prepared);
  }();
  // The product lies within the mask: there is nothing to merge unless c keeps entries.
  const bool keeps = c.nnz > 0 && (rule.accumulator != nullptr || (rule.mask && !rule.replace));
  write_back(c, std::move(t), keeps ? rule : matrix_rule{});
}

kernel_table cpu_backend::mxm_kernels() const {
  return mxm_kernel_table();
}

mxm_explanation cpu_backend::explain_mxm(const matrix_product& p, const matrix_rule& rule) {
  const bool is_bound = rule.mask != nullptr && !rule.complemented;
  mxm_explanation result;
  std::optional<std::uint64_t> gustavson, inner;
  mxm_method method = mxm_method::gustavson;
  if (has_no_products(p, rule)) {
    result.reason = "there are no products";
  } else {
    const memory_side here(context_, on_host_);
    const prepared_mxm prepared(here, p, rule,
                                [&](const matrix_base& m) { return transpose_of(m); });
    method = prepared.method;
    gustavson = prepared.gustavson_work;
    inner = prepared.inner_work;
    mxm_explanation::share all{"rows", std::string(name_of(method))};
    for (std::size_t row = 0; row < prepared.rows; ++row) {
      const std::uint64_t of_row = prepared.products(row);
      all.rows += of_row > 0;
      all.work += of_row;
    }
    result.shares.push_back(all);
    result.reason = !is_bound ? "no mask bounds the result"
                    : gustavson && inner
                        ? "it reads fewer entries, those of a transpose that must be built included"
                    : inner ? "it reads fewer entries than building a transpose"
                            : "estimates would cost more than the product";
  }
  result.kernel = name_of(method);
  result.candidates = {{std::string(name_of(mxm_method::gustavson)), gustavson},
                       {std::string(name_of(mxm_method::inner)), inner,
                        is_bound ? "" : "it needs a mask that is not complemented"}};
  return result;
}

bool cpu_backend::reduce_mxm(void* result, const monoid_description& monoid,
                             const matrix_product& p, const matrix_rule& rule) {
  const memory_side here(context_, on_host_);
  bool any = false;
  if (!has_no_products(p, rule)) {
    prepared_mxm prepared(here, p, rule, [&](const matrix_base& m) { return transpose_of(m); });
    any = sum_of_rows(context_, prepared, monoid, result);
  }
  if (!any) std::memcpy(result, monoid.identity.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
