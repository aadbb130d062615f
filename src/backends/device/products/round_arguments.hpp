// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels of rounds of iterate_until are passed (iterate.kernel, take_sums.kernel).

#include "backends/device/device_context.hpp"
#include "backends/device/program/program.hpp"
#include "backends/operations.hpp"

namespace tropic::detail {

inline bool is_bitmap(const vector_base* v) {
  return v != nullptr && v->storage == vector_storage::bitmap;
}

inline std::uint32_t flags_of_round(const vector_base& w, const iteration& i) {
  return (is_bitmap(&w) ? round_flags::was_bitmap : 0) |
         (i.beyond != nullptr ? round_flags::beyond : 0) |
         (is_bitmap(i.beyond) ? round_flags::beyond_bitmap : 0) |
         (i.round != nullptr ? round_flags::rounds : 0) |
         (is_bitmap(i.round) ? round_flags::rounds_bitmap : 0);
}

/// The conditions of a round, part of its program.
inline round_request conditions_of(const iteration& i) {
  round_request result{.improves = i.improves};
  if (i.keep != nullptr)
    result.keeps = one_operand(element_kind::select, *i.keep, *i.keep->op.x, nullptr);
  return result;
}

/// A vector that rounds change: its values, and which of them are present.
struct changed_arguments {
  void *values, *present;

  changed_arguments(const device_context& device, const vector_base* v)
      : values(device.write(v != nullptr ? v->values : nullptr, access::modify)),
        present(device.write(is_bitmap(v) ? v->present : nullptr, access::modify)) {}
};

}  // namespace tropic::detail
