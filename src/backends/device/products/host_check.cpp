// SPDX-License-Identifier: Apache-2.0

// The second stage of csr_segmented on the host, as in the paper: it reads what the first stage
// left, moves the sums of dirty tiles to their rows, and adds those of rows that span work-groups
// in the order of groups.

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/device/products/synchronizer.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {
namespace {

class host_check {
 public:
  explicit host_check(product_call& c)
      : c_(c),
        bytes_(c.t.type->size),
        w_(static_cast<std::byte*>(c.t.values->host_write(access::modify))),
        present_(c.marks ? static_cast<std::uint8_t*>(c.t.present->host_write(access::modify))
                         : nullptr) {}

  // A tile with an empty row inside stored its sums as if it had none.
  void move_sums_of_tile(std::uint64_t begin) {
    const std::uint64_t end =
        std::min(begin + c_.chosen.tile(), static_cast<std::uint64_t>(c_.m.nnz));
    const std::uint64_t first = row_of(begin), last = row_of(end - 1);
    // The true rows whose sums the tile holds, in order; its last row was placed right.
    std::vector<std::uint64_t> rows;
    for (std::uint64_t row = first; row < last;) {
      if (offset(row) >= begin) rows.push_back(row);
      row = row_of(offset(row + 1));
    }
    // From the back: a sum only ever moves to a later row.
    const std::uint64_t base = offset(first) == begin ? first : first + 1;
    for (std::size_t n = rows.size(); n-- > 0;) {
      const std::uint64_t from = base + n, to = rows[n];
      if (from == to) break;
      std::memcpy(w_ + to * bytes_, w_ + from * bytes_, bytes_);
      if (present_ == nullptr) continue;
      present_[to] = present_[from];
      present_[from] = 0;
    }
  }

  // The row that begins in `group` and is open where it ends: the parts of it in later groups.
  void add_late_sums(const synchronizer& late, std::uint64_t group) {
    const slot_view open = late.last_of(group);
    if (!open.has_head()) return;
    std::byte* sum = w_ + open.row() * bytes_;
    bool found = false;
    for (std::uint64_t n = group; n < late.groups; ++n) {
      const slot_view part = n == group ? open : late.first_of(n);
      if (part.row() != open.row()) break;
      if (!part.has_sum()) continue;
      if (found)
        c_.p.semiring.add.add({.z = sum, .x = sum, .y = part.sum(), .count = 1});
      else
        std::memcpy(sum, part.sum(), bytes_);
      found = true;
    }
    if (present_ != nullptr) present_[open.row()] = found;
  }

 private:
  std::uint64_t offset(std::uint64_t row) const {
    return static_cast<std::uint64_t>(offset_at(c_.m, static_cast<index_t>(row)));
  }
  // The last row that begins no later than the entry.
  std::uint64_t row_of(std::uint64_t entry) const {
    const std::size_t beyond =
        partition_point(1, static_cast<std::size_t>(c_.m.rows),
                        [&](std::size_t row) { return offset(row) <= entry; });
    return beyond - 1;
  }

  product_call& c_;
  std::size_t bytes_;
  std::byte* w_;
  std::uint8_t* present_;
};

}  // namespace

void check_on_host(product_call& c, const synchronizer& late, const buffer_pointer& dirty_count,
                   const buffer_pointer& dirty_tiles) {
  host_check check(c);
  const std::uint32_t dirty =
      dirty_count ? *static_cast<const std::uint32_t*>(dirty_count->host()) : 0;
  for (std::uint32_t n = 0; n < dirty; ++n)
    check.move_sums_of_tile(static_cast<const std::uint32_t*>(dirty_tiles->host())[n] *
                            c.chosen.tile());
  for (std::uint64_t group = 0; group < late.groups; ++group) check.add_late_sums(late, group);
}

}  // namespace tropic::detail
