// SPDX-License-Identifier: Apache-2.0

// Transpose (GraphBLAS C API 2.0, 4.3.12).

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

void reference_backend::transpose(matrix_base& c, const matrix_base& a, const matrix_rule& rule) {
  entries t;
  for (const auto& [where, value] : load(a)) t.emplace(position{where.column, where.row}, value);
  write_back(c, t, rule);
}

}  // namespace tropic::detail
