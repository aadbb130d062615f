// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product of sparse matrices on its way through the device backend, and the values at the
// entries that its result can have.

#include "backends/device/products/mxm.hpp"
#include "backends/product.hpp"

namespace tropic::detail {

// One product, with its operands by rows.
struct sparse_call {
  device_context& device;
  const matrix_product& p;
  const matrix_rule& rule;
  const bool is_bound;  // by the mask
  const bool by_inner;  // mxm_inner.kernel, from rows of B'
  const mxm_config config;
  const program_request request;
  const compiled_program* program = nullptr;
  std::size_t chunks = 1;                                 // that its steps are divided into
  std::shared_ptr<const matrix_base> kept_a{}, kept_b{};  // transposes

  sparse_call(device_context& of, const matrix_product& product, const matrix_rule& by,
              const mxm_limits& limits)
      : device(of),
        p(product),
        rule(by),
        is_bound(by.mask != nullptr && !by.complemented),
        by_inner(is_bound && product.b_transposed),
        config(of.traits(), limits, product.semiring.z().size),
        request(by_inner ? mxm_config::inner_request(product.semiring)
                         : config.values_request(of.traits(), product.semiring)) {}

  const matrix_base& a() const { return kept_a ? *kept_a : p.a; }
  const matrix_base& b() const { return kept_b ? *kept_b : p.b; }
  bool has_no_products() const {
    return p.a.nnz == 0 || p.b.nnz == 0 || (is_bound && rule.mask->nnz == 0);
  }
};

struct values_found {
  buffer_pointer values, found;  // found: a byte an entry; null: all
};
/// The sums at the entries of a pattern (mxm_values.kernel, mxm_ranges.kernel, mxm_inner.kernel).
values_found sums_at(const sparse_call&, const matrix_base& pattern);

}  // namespace tropic::detail
