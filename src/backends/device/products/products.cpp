// SPDX-License-Identifier: Apache-2.0

// The kernels of a product, each launched with what its text asks for.

#include <algorithm>
#include <cstring>

#include "backends/device/products/call.hpp"

namespace tropic::detail {
namespace {

std::size_t divide_up(std::uint64_t n, std::uint64_t by) {
  return static_cast<std::size_t>((n + by - 1) / by);
}

}  // namespace

// --- rows in turn: launches cover the rows and then go round -------------------------------------

void launch_csr_scalar(device_backend& device, product_call& c) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const csr_arguments csr(device, c);
  arguments list{rows};
  csr.append_to(list);
  const std::size_t group = std::min<std::size_t>(128, device.runtime().traits().group_limit);
  device.runtime().launch(c.operation(), *c.program, "t_csr_scalar", list,
                          std::min(divide_up(rows, group), largest_grid), group);
}

namespace {
void launch_vector(device_backend& device, product_call& c, const offset_arguments& offsets,
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

}  // namespace

void launch_csr_vector(device_backend& device, product_call& c) {
  launch_vector(device, c, {device, c.m.offsets, c.m.wide},
                {device, c, c.m.column_indices, c.m.values, access::overwrite});
}

void launch_csr_padded(device_backend& device, product_call& c) {
  const auto format = device.padded(c.m);
  c.chosen.width = std::min<std::uint32_t>(16, c.chosen.subgroup_size);
  launch_vector(
      device, c, {device, format->parts[0], false},
      {device, c, format->parts[1], c.m.iso ? c.m.values : format->parts[2], access::overwrite});
}

// --- strips of rows ------------------------------------------------------------------------------

void launch_cmrs(device_backend& device, product_call& c) {
  const strip_layout layout = c.chosen.layout();
  const auto format = device.strips(c.m, layout);
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const offset_arguments offsets(device, format->parts[0], c.m.wide && !layout.is_padded());
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, format->parts[1],
                                   c.m.iso ? c.m.values : format->parts[2], access::overwrite);
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
void launch_csr_blocked(device_backend& device, product_call& c) {
  const auto format = device.blocks(c.m, c.chosen.block);
  const auto& parts = format->parts;
  const auto value_of = [&](std::size_t part) { return c.m.iso ? c.m.values : parts[part]; };
  launch_vector(device, c, {device, parts[4], c.m.wide},
                {device, c, parts[5], value_of(6), access::overwrite});
  if (parts[1]->bytes() == 0) return;
  const auto rows = static_cast<std::uint64_t>(c.m.rows),
             inner = static_cast<std::uint64_t>(c.m.columns);
  const offset_arguments offsets(device, parts[4], c.m.wide);
  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, parts[1], value_of(3), access::modify);
  const void *starts = device.read_device(parts[0]), *masks = device.read_device(parts[2]);
  arguments list{rows, inner};
  offsets.append_to(list);
  list.insert(list.end(), {starts, masks});
  mask.append_to(list);
  operands.append_to(list);
  // Subgroups of a group share a band's blocks, a few each.
  const std::size_t bands = c.chosen.block.bands(c.m.rows), blocks = parts[1]->bytes() / 4;
  const std::size_t subgroups =
      std::clamp<std::size_t>(blocks / bands / 2, 1, std::size_t{c.chosen.subgroups});
  device.runtime().launch(c.operation(), *c.program, "t_csr_blocked", list,
                          std::min(bands, largest_grid), subgroups * c.chosen.subgroup_size);
}

// --- push ----------------------------------------------------------------------------------------

void launch_push(device_backend& device, product_call& c) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows), nnz = static_cast<std::uint64_t>(c.m.nnz),
             outputs = static_cast<std::uint64_t>(c.t.size);
  if (!c.is_bitmap()) {
    c.u.present = device.allocate(rows);
    device.runtime().fill(device.write_device(c.u.present), 1, rows);
    c.u.storage = vector_storage::bitmap;
  }
  // As many short rows as have entries; pieces are of more than 16 entries, but for the last of
  // each row, and rows in pieces have more than that too (push.kernel).
  const buffer_pointer counters = device.allocate(2 * sizeof(std::uint32_t)),
                       short_rows =
                           device.allocate((rows - static_cast<std::uint64_t>(c.m.empty_rows)) *
                                           sizeof(std::uint32_t)),
                       pieces = device.allocate((nnz / 16 + 1) * 2 * sizeof(std::uint32_t));
  void *count = device.write_device(counters), *short_list = device.write_device(short_rows),
       *piece_list = device.write_device(pieces);
  device.runtime().fill(count, 0, counters->bytes());
  device.runtime().fill(device.write_device(c.t.present), 0, c.t.present->bytes());
  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const void* present = device.read_device(c.u.present);
  const std::size_t group = c.chosen.group_size(),
                    all_groups = device.runtime().traits().processors *
                                 std::max<std::size_t>(1, 2048 / group);
  const auto groups = [&](std::uint64_t n) { return std::min(divide_up(n, group), all_groups); };
  arguments list{rows, present};
  offsets.append_to(list);
  list.insert(list.end(), {count, short_list, piece_list});
  device.runtime().launch(c.operation(), *c.program, "t_frontier", list, groups(rows), group);

  const std::uint64_t padded = c.t.values->bytes() / c.t.type->size;
  void* values = device.write_device(c.t.values);
  const kernel_argument blank[] = {padded, values};
  device.runtime().launch(c.operation(), *c.program, "t_blank_out", blank, groups(outputs), group);

  const row_mask_arguments mask(device, c);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::modify);
  arguments all;
  offsets.append_to(all);
  all.insert(all.end(), {count, short_list, piece_list});
  mask.append_to(all);
  operands.append_to(all);
  device.runtime().launch(c.operation(), *c.program, "t_push", all, groups(nnz), group);
}

// --- segmented sums ----------------------------------------------------------------------------

namespace {

// The synchronizer (synchronizer.h): two slots a group, each a row, flags and the words of a sum;
// and a ticket a group, where the kernel joins the rows that span groups by itself.
struct synchronizer {
  std::uint64_t groups = 0;
  std::uint32_t each = 0, more = 0;  // how tiles are shared out over subgroups
  std::size_t words = 0;             // of a slot
  buffer_pointer slots;
  void* to = nullptr;  // the same, to be written
  const void* tickets = nullptr;

  void append_share_to(arguments& list) const { append(list, each, more); }
  void append_to(arguments& list) const { append(list, to, tickets); }
};

synchronizer make_synchronizer(device_backend& device, const product_call& c) {
  const std::uint64_t tiles = divide_up(static_cast<std::uint64_t>(c.m.nnz), c.chosen.tile());
  synchronizer made;
  made.groups = c.chosen.groups(device.runtime().traits(), tiles);
  const std::uint64_t subgroups = made.groups * c.chosen.subgroups;
  made.each = static_cast<std::uint32_t>(tiles / subgroups);
  made.more = static_cast<std::uint32_t>(tiles % subgroups);
  made.words = 2 + (c.t.type->size + 3) / 4;
  made.slots = device.allocate(2 * made.groups * made.words * sizeof(std::uint32_t));
  made.to = device.write_device(made.slots);
  made.tickets = c.chosen.join == group_join::tickets ? device.tickets(made.groups)
                                                      : device.runtime().nothing();
  return made;
}

void join_late(device_backend& device, product_call& c, const synchronizer& late,
               const offset_arguments& offsets) {
  if (c.chosen.join == group_join::tickets) return;
  const void* slots = device.read_device(late.slots);
  void *w = device.write_device(c.t.values, access::modify),
       *w_present = device.write_device(c.marks ? c.t.present : nullptr, access::modify);
  const std::uint32_t marks = as_flag(c.marks);
  arguments list{late.groups};
  late.append_share_to(list);
  offsets.append_to(list);
  append(list, slots, w, w_present, marks);
  const bool shuffles = device.runtime().traits().exchange == subgroup_exchange::shuffle;
  device.runtime().launch(
      c.operation(), *c.program, "t_join_late", list,
      divide_up(late.groups, shuffles ? c.chosen.subgroups : c.chosen.group_size()),
      c.chosen.group_size());
}

// As the paper has it: the host reads what stage 1 left, moves the sums of dirty tiles and adds the
// synchronizer's in the order of groups.
void check_on_host(product_call& c, const synchronizer& late, const buffer_pointer& dirty_count,
                   const buffer_pointer& dirty_tiles) {
  const std::size_t bytes = c.t.type->size;
  auto* w = static_cast<std::byte*>(c.t.values->host_write(access::modify));
  auto* has =
      c.marks ? static_cast<std::uint8_t*>(c.t.present->host_write(access::modify)) : nullptr;
  const std::uint32_t dirty =
      dirty_count ? *static_cast<const std::uint32_t*>(dirty_count->host()) : 0;
  const std::uint64_t tile_size = c.chosen.tile();
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  const auto offset = [&](std::uint64_t row) {
    return static_cast<std::uint64_t>(offset_at(c.m, static_cast<index_t>(row)));
  };
  const auto row_of = [&](std::uint64_t entry) {
    std::uint64_t low = 0, high = static_cast<std::uint64_t>(c.m.rows) - 1;
    while (low < high) {
      const std::uint64_t middle = low + (high - low + 1) / 2;
      if (offset(middle) <= entry)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  };
  for (std::uint32_t slot = 0; slot < dirty; ++slot) {
    const std::uint64_t begin =
        static_cast<const std::uint32_t*>(dirty_tiles->host())[slot] * tile_size;
    const std::uint64_t end = std::min(begin + tile_size, nnz);
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
      std::memcpy(w + to * bytes, w + from * bytes, bytes);
      if (has == nullptr) continue;
      has[to] = has[from];
      has[from] = 0;
    }
  }
  // A slot's row, its flags, and the sum.
  const auto* slots = static_cast<const std::uint32_t*>(late.slots->host());
  const auto slot = [&](std::uint64_t n) { return slots + n * late.words; };
  for (std::uint64_t group = 0; group < late.groups; ++group) {
    const std::uint32_t* open = slot(2 * group + 1);
    if ((open[1] & partial_has_head) == 0) continue;
    const std::size_t row = open[0];
    std::byte* sum = w + row * bytes;
    bool found = false;
    for (std::uint64_t n = group; n < late.groups; ++n) {
      const std::uint32_t* part = n == group ? open : slot(2 * n);
      if (part[0] != row) break;
      if ((part[1] & partial_has_value) == 0) continue;
      if (found)
        c.p.semiring.add.add({.z = sum, .x = sum, .y = part + 2, .count = 1});
      else
        std::memcpy(sum, part + 2, bytes);
      found = true;
    }
    if (has != nullptr) has[row] = found;
  }
}

}  // namespace

void launch_coo(device_backend& device, product_call& c) {
  const auto format = device.row_indices(c.m);
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  if (c.marks) device.runtime().fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(device, c);
  const void* row_of = device.read_device(format->parts[0]);
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

void launch_csr_segmented(device_backend& device, product_call& c) {
  const auto format = device.tile_rows(c.m, c.chosen.tile());
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  const bool speculates = c.chosen.speculate;
  if (c.marks) device.runtime().fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(device, c);
  const buffer_pointer dirty_count = speculates ? device.allocate(sizeof(std::uint32_t)) : nullptr;
  const buffer_pointer dirty_tiles =
      speculates ? device.allocate(divide_up(nnz, c.chosen.tile()) * sizeof(std::uint32_t))
                 : nullptr;
  if (speculates) device.runtime().fill(dirty_count->device_write(), 0, sizeof(std::uint32_t));

  void *dirty = device.write_device(dirty_count, access::modify),
       *which = device.write_device(dirty_tiles);
  const offset_arguments offsets(device, c.m.offsets, c.m.wide);
  const operand_arguments operands(device, c, c.m.column_indices, c.m.values, access::modify);
  const void* edges = device.read_device(format->parts[0]);
  arguments list{nnz};
  late.append_share_to(list);
  offsets.append_to(list);
  append(list, edges);
  late.append_to(list);
  append(list, dirty, which);
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
    append(repair, edges, dirty, which, operands.w, operands.w_present, operands.marks);
    device.runtime().launch(
        c.operation(), *c.program, "t_repair", repair,
        std::min<std::size_t>(late.groups, 8 * device.runtime().traits().processors), group);
  }
  join_late(device, c, late, offsets);
}

// Zeros, which kernels leave as zeros: the queue is in order, so that one array serves all.
const void* device_backend::ticket_arrays::of(device_runtime& runtime, std::uint64_t groups) {
  const std::lock_guard lock(mutex);
  const std::size_t needed = static_cast<std::size_t>(groups) * sizeof(std::uint32_t);
  if (all.empty() || all.back().second < needed) {
    const std::size_t bytes = std::max<std::size_t>(2 * needed, 4096);
    void* memory = runtime.allocate(bytes);
    all.emplace_back(memory, bytes);
    runtime.fill(memory, 0, bytes);
  }
  return all.back().first;
}

}  // namespace tropic::detail
