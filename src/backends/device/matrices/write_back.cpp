// SPDX-License-Identifier: Apache-2.0

// The epilogue of matrices: t is merged with c under the mask.

#include "backends/cpu/matrices/rows.hpp"
#include "backends/device/matrices/matrix_operations.hpp"
#include "backends/device/matrices/merge.hpp"
#include "backends/device/matrices/sorted_entries.hpp"

namespace tropic::detail {

void matrix_operations::write_back(matrix_base& c, matrix_base&& t, const matrix_rule& rule) {
  constexpr std::string_view operation = "write";
  t.type = c.type;  // an equal one may belong to an operator that is destroyed before c
  if (rule.mask == nullptr && rule.accumulator == nullptr) {
    c = std::move(t);
    return;
  }
  if (!are_few_entries({&c, &t, rule.mask}))
    return on_cpu::write_matrix(device_.host_side(), c, std::move(t), rule);
  const buffer_pointer of_t = rule.mask != nullptr ? passing(device_, operation, t, rule) : nullptr;
  std::optional<matrix_base> result;
  if (rule.accumulator != nullptr) {
    const buffer_pointer of_c =
        rule.mask != nullptr && rule.replace ? passing(device_, operation, c, rule) : nullptr;
    result = merged(device_, operation, combination::set_union, rule.accumulator, *c.type,
                    {c, of_c}, {t, of_t});
    if (!result) return on_cpu::write_matrix(device_.host_side(), c, std::move(t), rule);
  } else if (rule.replace || c.nnz == 0) {
    result = filtered(device_, operation, t, of_t);
  } else {
    matrix_rule outside = rule;
    outside.complemented = !rule.complemented;
    result = merged(device_, operation, combination::set_union, nullptr, *c.type,
                    {c, passing(device_, operation, c, outside)}, {t, of_t});
  }
  result->type = c.type;
  c = std::move(*result);
}

}  // namespace tropic::detail
