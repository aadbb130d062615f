// SPDX-License-Identifier: Apache-2.0

// Products of two sparse matrices on the device: the entries that the result can have first
// (pattern.cpp, or the mask), then their sums (sums.cpp). Where a mask bounds the result,
// positions without products are removed at the end.

#include <algorithm>
#include <cstring>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/mxm/call.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {

bool has_no_products(const matrix_product& p, const matrix_rule& rule) {
  return p.a.nnz == 0 || p.b.nnz == 0 ||
         (rule.mask != nullptr && !rule.complemented && rule.mask->nnz == 0);
}

bool fits_device(const matrix_product& p, const matrix_rule& rule) {
  constexpr index_t most_columns = largest_dimension - 1;
  return are_few_entries({&p.a, &p.b, rule.mask}) && p.a.columns <= most_columns &&
         p.b.columns <= most_columns && p.rows() <= most_columns && p.columns() <= most_columns;
}

namespace {

// The entries of the mask that count.
matrix_base admitted(device_context& device, const matrix_rule& rule) {
  const matrix_base& mask = *rule.mask;
  if (rule.structural) return mask;
  matrix_rule itself;
  itself.mask = &mask;
  return filtered(device, mxm_operation, mask, passing(device, mxm_operation, mask, itself));
}

}  // namespace

std::optional<matrix_base> possible_entries(sparse_call& c) {
  if (c.is_bound && c.work.chunks == 0)
    c.work.chunks = c.by_inner
                        ? 1
                        : chunks_of_product(c.device, c.config, c.a(), {c.b().offsets, c.b().wide},
                                            c.rule.mask, nullptr)
                              .size();
  std::optional<matrix_base> result =
      c.is_bound ? admitted(c.device, c.rule)
                 : product_pattern(c.device, c.config, c.a(), c.b(), c.p.semiring.z(), c.work);
  if (!result) return result;
  result->iso = true;  // no values
  result->values = c.device.allocate(0);
  if (c.rule.mask != nullptr && c.rule.complemented)
    result = filtered(c.device, mxm_operation, *result,
                      passing(c.device, mxm_operation, *result, c.rule));
  return result;
}

// False: the device cannot do it.
bool product_runner::prepare(sparse_call& c) {
  c.program = device_.runtime().program(c.request);
  if (c.program == nullptr) {
    device_.log_once("mxm: " + device_.runtime().name() +
                     " has no fp64; what needs it runs on the host");
    return false;
  }
  if (c.p.a_transposed) c.kept_a = matrices_.transpose_of(c.p.a);
  if (c.p.b_transposed != c.by_inner) c.kept_b = matrices_.transpose_of(c.p.b);
  // The products of the entries of A that a subgroup has under way are counted in 32 bits.
  return c.b().longest_row < largest_dimension / c.config.subgroup;
}

bool product_runner::mxm(matrix_base& c, const matrix_product& p, const matrix_rule& rule) {
  if (has_no_products(p, rule)) {
    matrices_.write_back(c, empty_matrix(device_.context(), p.semiring.z(), p.rows(), p.columns()),
                         rule);
    return true;
  }
  if (!fits_device(p, rule)) return false;
  sparse_call call(device_, p, rule, mxm_limits_, choose_mxm(p, rule));
  if (!prepare(call)) return false;
  std::optional<matrix_base> t = possible_entries(call);
  if (!t) return false;
  const values_found sums = sums_at(call, *t);
  on_cpu::renew(*t);
  t->type = &p.semiring.z();
  t->iso = t->symmetric = false;
  t->values = sums.values;
  if (call.is_bound) t = filtered(device_, mxm_operation, *t, sums.found);
  // The product lies within the mask: there is nothing to merge unless c keeps entries.
  const bool keeps = c.nnz > 0 && (rule.accumulator != nullptr || (rule.mask && !rule.replace));
  matrices_.write_back(c, std::move(*t), keeps ? rule : matrix_rule{});
  return true;
}

std::optional<bool> product_runner::reduce_mxm(void* result, const monoid_description& monoid,
                                               const matrix_product& p, const matrix_rule& rule) {
  bool any = false;
  if (!has_no_products(p, rule)) {
    if (vectors_.sum_program(monoid) == nullptr || !fits_device(p, rule)) return std::nullopt;
    sparse_call call(device_, p, rule, mxm_limits_, choose_mxm(p, rule));
    if (!prepare(call)) return std::nullopt;
    const std::optional<matrix_base> at = possible_entries(call);
    if (!at) return std::nullopt;
    const values_found sums = sums_at(call, *at);
    vector_base all;
    all.context = device_.context();
    all.type = &p.semiring.z();
    all.size = at->nnz;
    all.storage = call.is_bound ? vector_storage::bitmap : vector_storage::full;
    all.values = sums.values;
    all.present = sums.found;
    all.nvals = call.is_bound ? count_present(device_, mxm_operation, sums.found, at->nnz)
                              : entry_count(at->nnz);
    any = all.nvals > 0;
    if (any) vectors_.reduce(result, monoid, all);
  }
  if (!any) std::memcpy(result, monoid.identity.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
