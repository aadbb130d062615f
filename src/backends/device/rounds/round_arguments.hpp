// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels of rounds are passed (iterate.kernel, take_sums.kernel, rounds_by_direction.kernel,
// rounds_by_rows.kernel, rounds_back.kernel).

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "backends/device/device_context.hpp"
#include "backends/device/program/program.hpp"
#include "backends/operations.hpp"

namespace tropic::detail {

inline constexpr std::string_view name_of_rounds = "iterate_until";
/// A launch cannot be cancelled: so many rounds take some milliseconds.
inline constexpr index_t most_rounds_of_a_launch = 1024;

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

/// The sizes of launches over rows of listed positions (round_rows.h).
struct row_round_limits {
  static constexpr std::uint32_t short_row = 32;            // entries that few work-items sum
  static constexpr std::uint32_t very_long_row = 1024;      // beyond it all of a group do
  static constexpr index_t longest_row = index_t{1} << 18;  // beyond it other kernels share it
  /// Rows of a matrix whose rounds may be many in one launch.
  static constexpr index_t longest_together = 128;
  static constexpr std::uint32_t turns = 4;  // rows of a work-item in a round of these, at most

  std::uint32_t subgroup, subgroups, groups, lanes;
  std::size_t processors;

  explicit row_round_limits(const device_traits& device)
      : subgroup(device.subgroup_size),
        subgroups(1),
        groups(device.groups_together),
        lanes(1),
        processors(device.processors) {
    if (device.exchange != subgroup_exchange::shuffle) return;
    subgroups = static_cast<std::uint32_t>(device.group_within(512)) / subgroup;
    lanes = 4;
  }
  std::uint32_t group() const { return subgroup * subgroups; }
  std::uint32_t rows_at_once() const { return groups * group() / lanes; }
  std::uint32_t most_rows() const { return turns * rows_at_once(); }
  /// Of a launch of one round over `rows`: more than run at once where there are many, so that a
  /// group of long rows is no longer than the others together.
  std::size_t groups_over(std::uint64_t rows) const {
    const std::size_t groups_per_processor = rows > std::uint64_t{1} << 20 ? 8 : 4;
    return std::clamp<std::uint64_t>(rows, 1, groups_per_processor * processors);
  }
};

}  // namespace tropic::detail
