// SPDX-License-Identifier: Apache-2.0

// A batch at the operator: gather, run, scatter; each only where the entries are not contiguous.
// Entries are added in ascending order of each operand or in none, so that a batch is contiguous
// exactly where its ends are as far apart as it is long.

#include "backends/cpu/elements.hpp"

#include <array>

namespace tropic::detail::on_cpu {

namespace {

bool is_contiguous(const std::size_t* at, std::size_t count) {
  if (at[count - 1] - at[0] != count - 1) return false;
  for (std::size_t n = 1; n < count; ++n)
    if (at[n] != at[0] + n) return false;
  return true;
}

constexpr std::array<index_t, entry_batch::capacity> no_index{};

}  // namespace

bound_operands operands_of(const unary_description& f, operand_source values) {
  const auto* bound = static_cast<const std::byte*>(f.bound.data());
  if (f.bound_first) return {{bound, f.op.x->size, true}, values};
  if (f.bound_second) return {values, {bound, f.op.y->size, true}};
  return {values, {}};
}

void entry_batch::flush() {
  if (count_ == 0) return;
  const auto operand = [&](const operand_source& from, bool reads, const std::size_t* at,
                           std::byte* room) -> const std::byte* {
    if (!reads) return from.values;
    if (is_contiguous(at, count_)) return from.values + at[0] * from.bytes;
    gather(room, from.values, at, count_, from.bytes);
    return room;
  };
  const bool direct = is_contiguous(z_at_, count_);
  op_({.z = direct ? z_ + z_at_[0] * z_bytes_ : z_values_,
       .x = operand(x_, reads_x_, x_at_, x_values_),
       .y = operand(y_, reads_y_, y_at_, y_values_),
       .count = count_,
       .x_scalar = x_.scalar,
       .y_scalar = y_.scalar,
       .i = i_,
       .k = no_index.data(),
       .j = j_});
  if (!direct) scatter(z_, z_at_, z_values_, count_, z_bytes_);
  count_ = 0;
}

}  // namespace tropic::detail::on_cpu
