// SPDX-License-Identifier: Apache-2.0
#include "plan/hot_copy.hpp"

#include "permute/hot_columns.hpp"

namespace tropic::detail {

hot_columns make_hot_columns(backend& executor, const matrix_base& a) {
  std::optional<hot_columns> result = executor.to_hot_columns(a);
  return result ? *std::move(result) : to_hot_columns(a);
}

}  // namespace tropic::detail
