// SPDX-License-Identifier: Apache-2.0

// Permutes a matrix: by the backend if it has an operation for that, as devices have; otherwise on
// the host (src/permute/matrix.cpp).

#include <string>

#include <tropic/detail/rows_by_entries.hpp>
#include <tropic/permute.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"
#include "permute/matrix.hpp"

namespace tropic::detail {

matrix_base permute(const matrix_base& a, const permutation& rows, const permutation& columns) try {
  if (rows.size() != a.rows || columns.size() != a.columns)
    throw usage_error("permute: A is " + std::to_string(a.rows) + "x" + std::to_string(a.columns) +
                      ", the permutations are of " + std::to_string(rows.size()) + " rows and " +
                      std::to_string(columns.size()) + " columns");
  backend& executor = common_backend("permute", a);
  if (rows.is_identity() && columns.is_identity()) return a;
  std::optional<matrix_base> result = executor.permute(a, rows, columns);
  return result ? std::move(*result) : permuted_on_host(a, rows, columns);
} catch (const out_of_memory& cause) {
  throw out_of_memory("permute", cause);
}

std::optional<std::vector<std::uint32_t>> rows_by_entries(const matrix_base& a) {
  return in_step("permute", [&] { return common_backend("permute", a).rows_by_entries(a); });
}

}  // namespace tropic::detail
