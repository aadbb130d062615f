// SPDX-License-Identifier: Apache-2.0

// The launches of csr_hubs: u at the hubs, sums of segments, sums of rows.

#include <algorithm>

#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {
namespace {

// What t_hub_sums reads of u beside u itself, or if the layout orders_all in its place.
struct staged_vector {
  buffer_pointer values, hub_present, present;  // null where they are not read
};

// `filled`: how many columns have entries, the first ones of the order.
staged_vector stage(device_context& device, const product_call& c, const hub_layout& layout,
                    const buffer_pointer& order, std::uint64_t filled) {
  staged_vector result;
  const std::uint64_t room_for_hubs = std::uint64_t{layout.hubs} * layout.parts,
                      columns = static_cast<std::uint64_t>(c.m.columns),
                      room = layout.orders_all ? std::max(room_for_hubs, filled) : room_for_hubs,
                      n = std::min(room, columns);
  if (c.is_bitmap()) {
    result.hub_present = packed_flags(device, c.operation(), c.u.present, n, order, room);
    result.present = layout.orders_all ? result.hub_present
                                       : packed_flags(device, c.operation(), c.u.present, columns,
                                                      nullptr, columns);
  }
  if (!c.uses_vector()) return result;
  const std::uint32_t bitmap = as_flag(c.is_bitmap());
  result.values = device.allocate(room * c.u.type->size);
  const void *by = device.read(order), *u = device.read(c.u.values),
             *present = device.read(result.hub_present);
  void* to = device.write(result.values);
  // What is staged is copied whole, absent values as well.
  if (c.is_bitmap()) device.runtime().fill(to, 0, result.values->bytes());
  const kernel_argument list[] = {n, by, u, present, bitmap, to};
  device.launch_over(n, c.operation(), *c.program, "t_take_hubs", list);
  return result;
}

}  // namespace

void launch_csr_hubs(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const hub_layout layout = c.chosen.hubs_layout();
  const auto format = runner.formats().hubs(c.m, layout);  // kept by c
  const auto& parts = format->parts;
  const auto filled = *static_cast<const std::uint32_t*>(parts[in_hubs::filled]->host());
  const staged_vector staged = stage(device, c, layout, parts[in_hubs::order], filled);
  // The segments of the last slices are rows, the others have a sum each.
  constexpr std::size_t word_bytes = sizeof(std::uint32_t);
  const std::uint64_t slices = parts[in_hubs::slices]->bytes() / word_bytes - 1,
                      places =
                          slices * hub_layout::lanes - parts[in_hubs::row_at]->bytes() / word_bytes;
  const std::uint32_t marked = as_flag(c.is_bitmap());
  const buffer_pointer sums = device.allocate(places * c.t.type->size),
                       found = marked != 0 ? device.allocate(places) : nullptr;

  operand_arguments operands(device, c, parts[in_hubs::far_columns],
                             c.m.iso ? c.m.values : parts[in_hubs::values], access::overwrite);
  if (layout.orders_all && c.uses_vector()) operands.u = device.read(staged.values);
  // Rows without entries are in no list.
  if (c.marks) device.runtime().fill(operands.w_present, 0, c.t.present->bytes());
  void *to_sums = device.write(sums), *to_found = device.write(found);
  const void *bounds = device.read(parts[in_hubs::bounds]),
             *of_slices = device.read(parts[in_hubs::slices]),
             *pairs = device.read(parts[in_hubs::pairs]), *values = device.read(staged.values),
             *hub_present = device.read(staged.hub_present), *present = device.read(staged.present),
             *row_at = device.read(parts[in_hubs::row_at]);
  arguments list;
  const auto hubs = static_cast<std::uint32_t>(
      std::min(std::uint64_t{layout.hubs} * layout.parts, static_cast<std::uint64_t>(c.m.columns)));
  append(list, layout.hubs, layout.parts, hubs, bounds, of_slices, pairs, values, hub_present,
         present, row_at, to_sums, to_found);
  operands.append_to(list);
  const std::uint32_t group = group_of_hubs(device.traits());
  const std::size_t groups = std::min<std::size_t>(divide_up(slices, group / hub_layout::lanes),
                                                   device.traits().processors);
  const std::size_t local_space = layout.hubs * (c.uses_vector() ? c.u.type->size : 1) +
                                  layout.hubs / 32 * sizeof(std::uint32_t);
  device.runtime().launch(c.operation(), *c.program, "t_hub_sums", list, groups, group,
                          local_space);

  const std::uint64_t few = parts[in_hubs::few]->bytes() / word_bytes;
  const void *segments = device.read(parts[in_hubs::segments]),
             *place = device.read(parts[in_hubs::places]), *from = device.read(sums),
             *is_found = device.read(found), *many = device.read(parts[in_hubs::many]),
             *few_rows = device.read(parts[in_hubs::few]);
  const kernel_argument join[] = {
      few,    few_rows,   segments,           place,         from, is_found,
      marked, operands.w, operands.w_present, operands.marks};
  device.launch_over(few, c.operation(), *c.program, "t_join_segments", join);
  const auto count = *static_cast<const std::uint32_t*>(parts[in_hubs::count_of_many]->host());
  const kernel_argument join_many[] = {many,       segments,           place,
                                       from,       is_found,           marked,
                                       operands.w, operands.w_present, operands.marks};
  if (count > 0)
    device.runtime().launch(c.operation(), *c.program, "t_join_many_segments", join_many, count,
                            std::min<std::uint32_t>(group, 64));
}

}  // namespace tropic::detail
