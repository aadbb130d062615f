// SPDX-License-Identifier: Apache-2.0

// The launches of csr_listed: rows are listed, and summed by lists whose lengths the host does not
// know.

#include <algorithm>

#include "backends/device/products/call.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint32_t longest_short_row = 32;  // entries; shorter where pieces are
constexpr std::size_t counters = 4, resident = resident_by_lists;  // T_COUNTS

// The lists, as long as they can become, and the sums of pieces.
struct row_lists {
  std::uint64_t room, most_long_rows, most_pieces;
  buffer_pointer counts, listed, pieces, long_rows, sums, found, u_bits;

  row_lists(device_context& device, const product_call& c)
      : room(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(c.m.rows - c.m.empty_rows))) {
    const std::uint64_t nnz = static_cast<std::uint64_t>(c.m.nnz), piece = c.chosen.piece;
    const bool has_long_rows = static_cast<std::uint64_t>(c.m.longest_row) > piece;
    most_long_rows = has_long_rows ? nnz / (piece + 1) : 0;
    most_pieces = has_long_rows ? nnz / piece + most_long_rows : 0;
    const auto words = [&](std::uint64_t n) { return device.allocate(n * sizeof(std::uint32_t)); };
    counts = words(counters);
    listed = words(room);
    pieces = words(2 * most_pieces);
    long_rows = words(2 * most_long_rows);
    sums = device.allocate(most_pieces * c.t.type->size);
    found = device.allocate(most_pieces);
    u_bits = words(c.is_bitmap() ? divide_up(static_cast<std::uint64_t>(c.u.size), 32) : 0);
  }
};

}  // namespace

void launch_csr_listed(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const row_lists lists(device, c);
  const std::size_t group = c.chosen.group_size(), processors = device.traits().processors;
  // As many groups as run at once; they take the lists by turns.
  const auto groups = [&](std::uint64_t needed, std::size_t at_once) {
    return std::clamp<std::uint64_t>(needed, 1,
                                     processors * std::max<std::size_t>(1, at_once / group));
  };
  const auto rows = static_cast<std::uint64_t>(c.m.rows),
             columns = static_cast<std::uint64_t>(c.u.size);
  const std::uint32_t piece = c.chosen.piece, short_row = std::min(longest_short_row, piece / 2);
  void *counts = device.write(lists.counts), *listed = device.write(lists.listed),
       *pieces = device.write(lists.pieces), *long_rows = device.write(lists.long_rows),
       *sums = device.write(lists.sums), *found = device.write(lists.found),
       *u_bits = device.write(lists.u_bits);
  device.runtime().fill(counts, 0, lists.counts->bytes());

  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::overwrite);
  arguments of_lists{rows};
  offsets.append_to(of_lists);
  mask.append_to(of_lists);
  append(of_lists, short_row, piece, counts, lists.room, listed, pieces, long_rows,
         operands.w_present, operands.marks, columns, operands.u_present, operands.bitmap, u_bits);
  device.runtime().launch(c.operation(), *c.program, "t_list_rows", of_lists,
                          groups(divide_up(rows, group * rows_listed_together), 2 * resident),
                          group);

  arguments of_sums;
  offsets.append_to(of_sums);
  append(of_sums, piece, counts, lists.room, listed, pieces, sums, found, u_bits);
  operands.append_to(of_sums);
  device.runtime().launch(
      c.operation(), *c.program, "t_sum_listed", of_sums,
      groups(divide_up(lists.room + lists.most_pieces, c.chosen.subgroups), resident), group);

  if (lists.most_long_rows == 0) return;
  arguments of_pieces;
  offsets.append_to(of_pieces);
  append(of_pieces, piece, counts, long_rows, sums, found, operands.w, operands.w_present,
         operands.marks);
  device.runtime().launch(c.operation(), *c.program, "t_join_pieces", of_pieces,
                          groups(divide_up(lists.most_long_rows, c.chosen.subgroups), resident),
                          group);
}

}  // namespace tropic::detail
