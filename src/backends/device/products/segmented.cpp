// SPDX-License-Identifier: Apache-2.0

// The launches of kernels that divide entries evenly: segmented sums.

#include <algorithm>

#include "backends/device/products/product_runner.hpp"
#include "backends/device/products/synchronizer.hpp"

namespace tropic::detail {
namespace {

synchronizer make_synchronizer(product_runner& runner, const product_call& c) {
  device_context& device = runner.device();
  const std::uint64_t tiles = divide_up(static_cast<std::uint64_t>(c.m.nnz), c.chosen.tile());
  synchronizer result;
  result.groups = c.chosen.groups(device.traits(), tiles);
  const std::uint64_t subgroups = result.groups * c.chosen.subgroups;
  result.tiles_each = static_cast<std::uint32_t>(tiles / subgroups);
  result.subgroups_with_one_more = static_cast<std::uint32_t>(tiles % subgroups);
  result.slot_words = 2 + (c.t.type->size + 3) / 4;
  result.slots = device.allocate(2 * result.groups * result.slot_words * sizeof(std::uint32_t));
  result.to = device.write(result.slots);
  result.tickets = c.chosen.join == group_join::tickets ? runner.tickets(result.groups)
                                                        : device.runtime().nothing();
  return result;
}

void join_late(device_context& device, product_call& c, const synchronizer& late,
               const offset_arguments& offsets) {
  if (c.chosen.join == group_join::tickets) return;
  const void* slots = device.read(late.slots);
  void *w = device.write(c.t.values, access::modify),
       *w_present = device.write(c.marks ? c.t.present : nullptr, access::modify);
  const std::uint32_t marks = as_flag(c.marks);
  arguments list{late.groups};
  late.append_share_to(list);
  offsets.append_to(list);
  append(list, slots, w, w_present, marks);
  const bool shuffles = device.traits().exchange == subgroup_exchange::shuffle;
  device.runtime().launch(
      c.operation(), *c.program, "t_join_late", list,
      divide_up(late.groups, shuffles ? c.chosen.subgroups : c.chosen.group_size()),
      c.chosen.group_size());
}

}  // namespace

void launch_coo(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto format = runner.formats().row_indices(c.m);
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  if (c.marks) device.runtime().fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(runner, c);
  const void* row_of = device.read(format->parts.front());
  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::modify);
  arguments list{nnz};
  late.append_share_to(list);
  offsets.append_to(list);
  append(list, row_of);
  late.append_to(list);
  operands.append_to(list);
  device.runtime().launch(c.operation(), *c.program, "t_coo", list, late.groups,
                          c.chosen.group_size());
  join_late(device, c, late, offsets);
}

void launch_csr_segmented(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto format = runner.formats().tile_rows(c.m, c.chosen.tile());
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  const bool speculates = c.chosen.speculate;
  if (c.marks) device.runtime().fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(runner, c);
  const buffer_pointer dirty_count = speculates ? device.allocate(sizeof(std::uint32_t)) : nullptr;
  const buffer_pointer dirty_tiles =
      speculates ? device.allocate(divide_up(nnz, c.chosen.tile()) * sizeof(std::uint32_t))
                 : nullptr;
  if (speculates) device.runtime().fill(dirty_count->device_write(), 0, sizeof(std::uint32_t));

  void *dirty = device.write(dirty_count, access::modify), *dirty_list = device.write(dirty_tiles);
  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::modify);
  const void* tile_rows = device.read(format->parts.front());
  arguments list{nnz};
  late.append_share_to(list);
  offsets.append_to(list);
  append(list, tile_rows);
  late.append_to(list);
  append(list, dirty, dirty_list);
  operands.append_to(list);
  const std::size_t group = c.chosen.group_size();
  device.runtime().launch(c.operation(), *c.program, "t_csr_segmented", list, late.groups, group);

  if (c.chosen.check_on_host) {
    check_on_host(c, late, dirty_count, dirty_tiles);
    return;
  }
  if (speculates && c.m.empty_rows > 0) {
    arguments repair{nnz};
    offsets.append_to(repair);
    append(repair, tile_rows, dirty, dirty_list, operands.w, operands.w_present, operands.marks);
    device.runtime().launch(c.operation(), *c.program, "t_repair", repair,
                            std::min<std::size_t>(late.groups, 8 * device.traits().processors),
                            group);
  }
  join_late(device, c, late, offsets);
}

}  // namespace tropic::detail
