// SPDX-License-Identifier: Apache-2.0
#include "plan/hot_copy.hpp"

#include "permute/hot_columns.hpp"

namespace tropic::detail {

hot_columns make_hot_columns(array_services& services, const matrix_base& a) {
  std::optional<hot_columns> made = services.to_hot_columns(a);
  return made ? *std::move(made) : to_hot_columns(a);
}

}  // namespace tropic::detail
