// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of rows that span work-groups (synchronizer.h): each group leaves what it knows of its first
// and of its last row in a slot.

#include "backends/device/products/call.hpp"
#include "backends/device/program/program.hpp"

namespace tropic::detail {

/// A row, flags, and the words of a sum.
struct slot_view {
  const std::uint32_t* words;

  std::size_t row() const { return words[0]; }
  bool has_head() const {
    return (words[1] & partial_has_head) != 0;
  }  // the row begins in the group
  bool has_sum() const { return (words[1] & partial_has_value) != 0; }
  const void* sum() const { return words + 2; }
};

/// The slots of a launch, and how its tiles are shared out over subgroups.
struct synchronizer {
  std::uint64_t groups = 0;
  std::uint32_t tiles_each = 0, subgroups_with_one_more = 0;
  std::size_t slot_words = 0;
  buffer_pointer slots;
  void* to = nullptr;             // the same, to be written
  const void* tickets = nullptr;  // a counter a group, where the kernel joins them by itself

  void append_share_to(arguments& list) const { append(list, tiles_each, subgroups_with_one_more); }
  void append_to(arguments& list) const { append(list, to, tickets); }

  // On the host: of the row that is open where a group begins, and where it ends.
  slot_view first_of(std::uint64_t group) const { return slot(2 * group); }
  slot_view last_of(std::uint64_t group) const { return slot(2 * group + 1); }

 private:
  slot_view slot(std::uint64_t n) const {
    return {static_cast<const std::uint32_t*>(slots->host()) + n * slot_words};
  }
};

/// Completes t on the host (host_check.cpp). `dirty_count`, `dirty_tiles`: those that the kernel
/// listed, null where rows were not speculated on.
void check_on_host(product_call&, const synchronizer&, const buffer_pointer& dirty_count,
                   const buffer_pointer& dirty_tiles);

}  // namespace tropic::detail
