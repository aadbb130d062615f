// SPDX-License-Identifier: Apache-2.0
#include "permute/hot_columns.hpp"

#include <cstring>

#include <tropic/measures.hpp>
#include <tropic/permute.hpp>

#include "containers/context_state.hpp"
#include "containers/timing.hpp"
#include "permute/orders.hpp"

namespace tropic::detail {

hot_columns to_hot_columns(const matrix_base& a) {
  const auto start = std::chrono::steady_clock::now();
  const permutation columns =
      permutation::trusted(descending_order(column_counts(a)), a.context->threads());
  matrix_base result = permute(a, permutation::identity(a.rows), columns);
  result.offsets = a.offsets;  // equal, and there already
  if (result.derived == a.derived) result.derived = make_derived_copies();
  hot_columns hot;
  hot.matrix = std::make_shared<const matrix_base>(std::move(result));
  hot.order = make_buffer(a.context, columns.old_positions().size_bytes());
  if (hot.order->bytes() > 0)
    std::memcpy(hot.order->host_write(), columns.old_positions().data(), hot.order->bytes());
  hot.seconds = seconds_since(start);
  return hot;
}

}  // namespace tropic::detail
