// SPDX-License-Identifier: Apache-2.0

// The launches of csr_hubs and csr_bits: what they stage of u, sums of segments, sums of rows.

#include <algorithm>
#include <cstring>

#include "backends/device/formats/slices.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "backends/device/products/kernel_limits.hpp"
#include "backends/device/products/product_runner.hpp"

namespace tropic::detail {
namespace {

std::uint64_t slices_of(const product_call& c) {
  return c.kept->parts[in_slices::slices]->bytes() / word_bytes - 1;
}

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
  // What is staged is copied whole, 16 bytes at a time: absent values as well, and the room behind
  // the values of a matrix that has fewer columns.
  if (c.is_bitmap() || n < room) device.runtime().fill(to, 0, result.values->bytes());
  const kernel_argument list[] = {n, by, u, present, bitmap, to};
  device.launch_over(n, c.operation(), *c.program, "t_take_hubs", list);
  return result;
}

// What the launch of sums of segments writes: those of rows that are one segment are in t.
struct segment_sums {
  buffer_pointer values, found;  // of the other segments; `found` is null unless u is a bitmap
};

segment_sums allocate_sums(device_context& device, const product_call& c) {
  // The segments of the last slices are rows, the others have a sum each.
  const auto& parts = c.kept->parts;
  const std::uint64_t places =
      slices_of(c) * slice_rules::lanes - parts[in_slices::row_at]->bytes() / word_bytes;
  return {device.allocate(places * c.t.type->size),
          c.is_bitmap() ? device.allocate(places) : nullptr};
}

// A group a processor, as each of them stages.
std::size_t groups_of(const device_traits& device, std::uint64_t slices) {
  return std::min<std::size_t>(slices, device.processors);
}

// Rows without entries are in no list.
void mark_no_rows(device_context& device, const product_call& c,
                  const operand_arguments& operands) {
  if (c.marks) device.runtime().fill(operands.w_present, 0, c.t.present->bytes());
}

void join_segments(device_context& device, const product_call& c, const segment_sums& sums,
                   const operand_arguments& operands) {
  const auto& parts = c.kept->parts;
  const auto count_of_many =
                 *static_cast<const std::uint32_t*>(parts[in_slices::count_of_many]->host()),
             count_of_few = static_cast<std::uint32_t>(parts[in_slices::few]->bytes() / word_bytes);
  const std::uint32_t marked = as_flag(sums.found != nullptr);
  const void *segments = device.read(parts[in_slices::segments]),
             *places = device.read(parts[in_slices::places]), *from = device.read(sums.values),
             *found = device.read(sums.found), *many = device.read(parts[in_slices::many]),
             *few = device.read(parts[in_slices::few]);
  const kernel_argument list[] = {
      count_of_many, many,  count_of_few, few,        segments,           places,
      from,          found, marked,       operands.w, operands.w_present, operands.marks};
  const std::size_t group = group_of_joins(device.traits()),
                    groups = count_of_many + divide_up(std::size_t{count_of_few}, group);
  if (groups > 0)
    device.runtime().launch(c.operation(), *c.program, "t_join_segments", list, groups, group);
}

}  // namespace

void launch_csr_hubs(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const hub_layout layout = c.chosen.hubs_layout();
  const auto& parts = c.kept->parts;
  const auto filled = *static_cast<const std::uint32_t*>(parts[in_slices::filled]->host());
  const staged_vector staged = stage(device, c, layout, parts[in_slices::order], filled);
  const segment_sums sums = allocate_sums(device, c);
  operand_arguments operands(device, c, parts[in_hubs::far_columns],
                             c.m.iso ? c.m.values : parts[in_slices::values], access::overwrite);
  if (layout.orders_all && c.uses_vector()) operands.u = device.read(staged.values);
  mark_no_rows(device, c, operands);
  void *to_sums = device.write(sums.values), *to_found = device.write(sums.found);
  const void *bounds = device.read(parts[in_slices::bounds]),
             *of_slices = device.read(parts[in_slices::slices]),
             *pairs = device.read(parts[in_hubs::pairs]), *values = device.read(staged.values),
             *hub_present = device.read(staged.hub_present), *present = device.read(staged.present),
             *row_at = device.read(parts[in_slices::row_at]);
  arguments list;
  const auto hubs = static_cast<std::uint32_t>(
      std::min(std::uint64_t{layout.hubs} * layout.parts, static_cast<std::uint64_t>(c.m.columns)));
  append(list, layout.hubs, layout.parts, hubs, bounds, of_slices, pairs, values, hub_present,
         present, row_at, to_sums, to_found);
  operands.append_to(list);
  const std::uint32_t group = group_of_hubs(device.traits());
  const std::size_t local_space = layout.hubs * (c.uses_vector() ? c.u.type->size : 1) +
                                  layout.hubs / 32 * sizeof(std::uint32_t);
  device.runtime().launch(c.operation(), *c.program, "t_hub_sums", list,
                          groups_of(device.traits(), slices_of(c)), group, local_space);

  join_segments(device, c, sums, operands);
}

namespace {

// Whether products with false change no sum: that of a row is then one of the entries where u is
// true.
bool ignores_false(const product& p) {
  const semiring_description& s = p.semiring;
  const bool annihilates = p.vector_first ? s.annihilates_left : s.annihilates_right;
  if (s.z().code != type_code::boolean || !s.add.has_identity || !annihilates) return false;
  bool identity = true;
  std::memcpy(&identity, s.add.identity.data(), sizeof identity);
  return !identity;
}

// u as csr_bits.kernel reads it; null where it does not.
struct packed_vector {
  buffer_pointer values, present;
};

packed_vector pack(device_context& device, const product_call& c, std::uint32_t n,
                   std::uint64_t words, bool reads_present) {
  const auto& parts = c.kept->parts;
  const bool is_ordered = c.chosen.hubs_layout().orders_all;
  packed_vector result;
  if (c.uses_vector()) result.values = device.allocate(words * word_bytes);
  if (reads_present) result.present = device.allocate(words * word_bytes);
  const void *order = device.read(is_ordered ? parts[in_slices::order] : nullptr),
             *u = device.read(c.uses_vector() ? c.u.values : nullptr),
             *u_present = device.read(c.is_bitmap() ? c.u.present : nullptr);
  void *values = device.write(result.values), *present = device.write(result.present);
  const auto count = static_cast<std::uint32_t>(words);
  const std::uint32_t ordered = as_flag(is_ordered), bitmap = as_flag(c.is_bitmap()),
                      packs_values = as_flag(c.uses_vector()),
                      packs_present = as_flag(reads_present);
  const kernel_argument list[] = {n,      count,        order,   ordered,      u, u_present, bitmap,
                                  values, packs_values, present, packs_present};
  const std::uint64_t items = device.traits().exchange == subgroup_exchange::shuffle
                                  ? divide_up(words, words_packed_together) * slice_rules::lanes
                                  : words;
  device.launch_over(items, c.operation(), *c.program, "t_pack_bits", list);
  return result;
}

}  // namespace

void launch_csr_bits(product_runner& runner, product_call& c) {
  device_context& device = runner.device();
  const auto& parts = c.kept->parts;
  const bool reads_present = c.is_bitmap() || !c.uses_vector() || !ignores_false(c.p);
  // In the order by frequency, only columns with entries are read.
  const auto columns = c.chosen.hubs_layout().orders_all
                           ? *static_cast<const std::uint32_t*>(parts[in_slices::filled]->host())
                           : static_cast<std::uint32_t>(c.m.columns);
  // What is staged begins and ends at multiples of 16 bytes.
  constexpr std::uint64_t unit = 128;
  const std::uint64_t room = divide_up(bits_of_columns(columns), unit) * unit,
                      vectors = c.uses_vector() && reads_present ? 2 : 1;
  const auto staged = static_cast<std::uint32_t>(std::min(room, c.chosen.bits / vectors));
  const packed_vector u = pack(device, c, columns, room / 32, reads_present);
  const segment_sums sums = allocate_sums(device, c);

  operand_arguments operands(device, c, parts[in_bits::words],
                             c.m.iso ? c.m.values : parts[in_slices::values], access::overwrite);
  mark_no_rows(device, c, operands);
  void *to_sums = device.write(sums.values), *to_found = device.write(sums.found);
  const void *bounds = device.read(parts[in_slices::bounds]),
             *of_slices = device.read(parts[in_slices::slices]), *values = device.read(u.values),
             *present = device.read(u.present), *row_at = device.read(parts[in_slices::row_at]);
  const std::uint32_t present_is_read = as_flag(reads_present);
  arguments list;
  append(list, staged, present_is_read, bounds, of_slices, values, present, row_at, to_sums,
         to_found);
  operands.append_to(list);
  const std::size_t local_space = staged / 8 * vectors + bytes_beside_bits;
  device.runtime().launch(c.operation(), *c.program, "t_bit_sums", list,
                          groups_of(device.traits(), slices_of(c)), group_of_hubs(device.traits()),
                          local_space);
  join_segments(device, c, sums, operands);
}

}  // namespace tropic::detail
