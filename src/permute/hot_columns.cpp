// SPDX-License-Identifier: Apache-2.0
#include "permute/hot_columns.hpp"

#include <chrono>
#include <cstring>

#include <tropic/measures.hpp>
#include <tropic/permute.hpp>

#include "containers/context_state.hpp"
#include "permute/orders.hpp"

namespace tropic::detail {

hot_columns to_hot_columns(const matrix_base& a) {
  const auto start = std::chrono::steady_clock::now();
  const permutation columns =
      permutation::trusted(descending_order(column_counts(a)), a.context->threads());
  matrix_base made = permute(a, permutation::identity(a.rows), columns);
  made.offsets = a.offsets;  // equal, and there already
  if (made.derived == a.derived) made.derived = make_derived_copies();
  hot_columns hot;
  hot.matrix = std::make_shared<const matrix_base>(std::move(made));
  hot.order = make_buffer(a.context, columns.old_positions().size_bytes());
  if (hot.order->bytes() > 0)
    std::memcpy(hot.order->host_write(), columns.old_positions().data(), hot.order->bytes());
  hot.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return hot;
}

}  // namespace tropic::detail
