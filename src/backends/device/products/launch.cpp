// SPDX-License-Identifier: Apache-2.0

// The launches of kernels that process rows, strips or a frontier.

#include <algorithm>

#include "backends/device/products/call.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/product_runner.hpp"
#include "containers/formats/padded_rows.hpp"

namespace tropic::detail {

// --- rows in turn: launches cover the rows and then go round -------------------------------------

void launch_csr_scalar(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const csr_arguments csr(device, c);
  arguments list{rows};
  csr.append_to(list);
  const std::size_t group = std::min<std::size_t>(128, device.traits().group_limit);
  device.runtime().launch(c.operation(), *c.program, "t_csr_scalar", list,
                          std::min(divide_up(rows, group), largest_grid), group);
}

namespace {
void launch_vector(device_context& device, product_call& c, const offset_arguments& offsets,
                   const operand_arguments& operands) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const std::uint32_t width = c.chosen.width;
  const row_mask_arguments mask(device, c);
  arguments list{rows, width};
  offsets.append_to(list);
  mask.append_to(list);
  operands.append_to(list);
  const std::uint64_t rows_of_group = c.chosen.group_size() / width;
  device.runtime().launch(c.operation(), *c.program, "t_csr_vector", list,
                          std::min(divide_up(rows, rows_of_group), largest_grid),
                          c.chosen.group_size());
}

// Several rows a work-item, as long as there are enough for all that run at once: the fewer of a
// block are wanted, the more of it a group can skip.
void launch_wanted_rows(device_context& device, product_call& c) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const std::size_t group = c.chosen.group_size();
  const std::uint64_t at_once =
      device.traits().processors * std::max<std::uint64_t>(1, 2048 / group) * group;
  const auto rows_per_item = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(divide_up(rows, at_once), 1, most_wanted_rows));
  const std::uint64_t groups =
      std::min(divide_up(rows, rows_per_item * group), std::uint64_t{1} << 16);  // a count each
  c.entries = device.allocate(groups * sizeof(std::uint32_t));
  void* entries = device.write(c.entries);
  const csr_arguments csr(device, c);
  arguments list{rows, rows_per_item, entries};
  csr.append_to(list);
  device.runtime().launch(c.operation(), *c.program, "t_wanted_rows", list, groups, group);
}

}  // namespace

void launch_csr_vector(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  if (c.lists_wanted_rows) {
    launch_wanted_rows(device, c);
    return;
  }
  launch_vector(device, c, {device, c.m.offsets, c.m.wide},
                {device, c, c.m.column_indices, c.m.values, access::overwrite});
}

void launch_csr_padded(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto format = runner.formats().padded(c.m);
  c.chosen.width = std::min(format_cache::padded_row_unit, c.chosen.subgroup_size);
  launch_vector(device, c, {device, format->parts[in_padded_rows::segments], false},
                {device, c, format->parts[in_padded_rows::columns],
                 c.m.iso ? c.m.values : format->parts[in_padded_rows::values], access::overwrite});
}

// --- strips of rows ------------------------------------------------------------------------------

void launch_cmrs(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const strip_layout layout = c.chosen.layout();
  const auto format = runner.formats().strips(c.m, layout);
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const offset_arguments offsets(device, format->parts[in_strips::starts],
                                 c.m.wide && !layout.is_padded());
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, format->parts[in_strips::words],
                                   c.m.iso ? c.m.values : format->parts[in_strips::values],
                                   access::overwrite);
  arguments list{rows};
  offsets.append_to(list);
  mask.append_to(list);
  operands.append_to(list);
  device.runtime().launch(
      c.operation(), *c.program, "t_cmrs", list,
      std::min(divide_up(layout.strips(c.m.rows), c.chosen.subgroups), largest_grid),
      c.chosen.group_size());
}

// What is left over as csr_vector has it, then the blocks on top.
void launch_csr_blocked(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto format = runner.formats().blocks(c.m, c.chosen.block);
  const auto& parts = format->parts;
  const auto value_of = [&](std::size_t part) { return c.m.iso ? c.m.values : parts[part]; };
  launch_vector(device, c, {device, parts[in_blocks::left_offsets], c.m.wide},
                {device, c, parts[in_blocks::left_columns], value_of(in_blocks::left_values),
                 access::overwrite});
  if (parts[in_blocks::first_columns]->bytes() == 0) return;
  const auto rows = static_cast<std::uint64_t>(c.m.rows),
             inner = static_cast<std::uint64_t>(c.m.columns);
  const offset_arguments offsets(device, parts[in_blocks::left_offsets], c.m.wide);
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, parts[in_blocks::first_columns],
                                   value_of(in_blocks::values), access::modify);
  const void *starts = device.read(parts[in_blocks::starts]),
             *masks = device.read(parts[in_blocks::masks]);
  arguments list{rows, inner};
  offsets.append_to(list);
  list.insert(list.end(), {starts, masks});
  mask.append_to(list);
  operands.append_to(list);
  // Subgroups of a group share a band's blocks, a few each.
  const std::size_t bands = c.chosen.block.bands(c.m.rows),
                    blocks = parts[in_blocks::first_columns]->bytes() / 4;
  const std::size_t subgroups =
      std::clamp<std::size_t>(blocks / bands / 2, 1, std::size_t{c.chosen.subgroups});
  device.runtime().launch(c.operation(), *c.program, "t_csr_blocked", list,
                          std::min(bands, largest_grid), subgroups * c.chosen.subgroup_size);
}

// --- push ----------------------------------------------------------------------------------------

void launch_push(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto rows = static_cast<std::uint64_t>(c.m.rows), nnz = static_cast<std::uint64_t>(c.m.nnz);
  if (!c.is_bitmap()) {
    c.u.present = device.allocate(rows);
    device.runtime().fill(device.write(c.u.present), 1, rows);
    c.u.storage = vector_storage::bitmap;
  }
  // As many short rows as have entries; pieces have more entries than a short row, but for the last
  // of each row, and so have rows in pieces (push.kernel).
  const buffer_pointer counters = device.allocate(2 * sizeof(std::uint32_t)),
                       short_rows =
                           device.allocate((rows - static_cast<std::uint64_t>(c.m.empty_rows)) *
                                           sizeof(std::uint32_t)),
                       pieces = device.allocate((nnz / short_row_of_push + 1) * 2 *
                                                sizeof(std::uint32_t));
  void *count = device.write(counters), *short_list = device.write(short_rows),
       *piece_list = device.write(pieces);
  device.runtime().fill(count, 0, counters->bytes());
  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const void* present = device.read(c.u.present);
  const std::size_t group = c.chosen.group_size(),
                    all_groups =
                        device.traits().processors * std::max<std::size_t>(1, 2048 / group);
  const auto groups = [&](std::uint64_t n) { return std::min(divide_up(n, group), all_groups); };
  // t_push changes flags and narrow values by whole words.
  const std::uint64_t padded = c.t.values->bytes() / c.t.type->size, flags = c.t.present->bytes();
  void *values = device.write(c.t.values), *to_present = device.write(c.t.present);
  arguments list{rows, present};
  offsets.append_to(list);
  list.insert(list.end(), {count, short_list, piece_list, flags, padded, values, to_present});
  device.runtime().launch(c.operation(), *c.program, "t_frontier", list,
                          groups(std::max(rows / 16, padded)), group);

  c.entries = device.allocate(groups(nnz) * sizeof(std::uint32_t));
  void* entries = device.write(c.entries);
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::modify);
  arguments all;
  offsets.append_to(all);
  all.insert(all.end(), {count, short_list, piece_list, entries});
  mask.append_to(all);
  operands.append_to(all);
  device.runtime().launch(c.operation(), *c.program, "t_push", all, groups(nnz), group);
}

}  // namespace tropic::detail
