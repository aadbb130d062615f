// SPDX-License-Identifier: Apache-2.0
#pragma once

// One product of sparse matrices on its way through the device backend, and the values at the
// entries that its result can have.

#include "backends/device/mxm/mxm.hpp"
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
  pattern_work work;  // its steps are divided into as many chunks
  const compiled_program* program = nullptr;
  std::shared_ptr<const matrix_base> kept_a{}, kept_b{};  // transposes

  sparse_call(device_context& of, const matrix_product& product, const matrix_rule& by,
              const mxm_limits& limits, const mxm_choice& choice)
      : device(of),
        p(product),
        rule(by),
        is_bound(by.mask != nullptr && !by.complemented),
        by_inner(choice.kernel->inner),
        config(of.traits(), limits, product.semiring.z().size, *choice.kernel),
        request(by_inner ? mxm_config::inner_request(product.semiring)
                         : config.values_request(of.traits(), product.semiring)),
        work{.chunks = choice.chunks} {}

  const matrix_base& a() const { return kept_a ? *kept_a : p.a; }
  const matrix_base& b() const { return kept_b ? *kept_b : p.b; }
  // Entries of the rows whose values a work-item computes; 0: of none. Without a mask, a row of B
  // that is selected has no more entries than the row of the result.
  std::uint32_t short_row() const {
    return rule.mask == nullptr && work.list_rows > 0 ? config.short_row : 0;
  }
};

bool has_no_products(const matrix_product&, const matrix_rule&);
/// Whether 32 bits count what the kernels count.
bool fits_device(const matrix_product&, const matrix_rule&);
/// The entries that the result can have, without values; nothing if they are too many. Divides the
/// product into chunks.
std::optional<matrix_base> possible_entries(sparse_call&);

struct values_found {
  buffer_pointer values, found;  // found: a byte an entry; null: all
};
/// The sums at the entries of a pattern (mxm_values.kernel, mxm_ranges.kernel, mxm_inner.kernel).
values_found sums_at(const sparse_call&, const matrix_base& pattern);

}  // namespace tropic::detail
