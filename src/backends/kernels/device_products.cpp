// SPDX-License-Identifier: Apache-2.0

// The kernels of a product, each launched with what its text asks for.

#include <algorithm>
#include <cstring>

#include "backends/kernels/device_call.hpp"

namespace tropic::detail {
namespace {

std::uint32_t flag(bool set) {
  return set ? 1 : 0;
}
std::size_t divide_up(std::uint64_t n, std::uint64_t by) {
  return static_cast<std::size_t>((n + by - 1) / by);
}

constexpr std::size_t largest_grid = (std::size_t{1} << 31) - 1;  // CUDA's, in one dimension

}  // namespace

// Rows in turn: kernels whose launches cover the rows and then go round.
void device_backend::csr_scalar(call& c) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const void *offsets = read_device(c.m.offsets), *columns = read_device(c.m.column_indices);
  const void* a = read_device(c.uses_matrix() ? c.m.values : nullptr);
  const void* x = read_device(c.uses_vector() ? c.u.values : nullptr);
  const void* present = read_device(c.is_bitmap() ? c.u.present : nullptr);
  const void* skip = read_device(c.skip);
  void *w = write_device(c.t.values), *w_present = write_device(c.t.present);
  const std::uint32_t wide = flag(c.m.wide), iso = flag(c.m.iso), bitmap = flag(c.is_bitmap()),
                      skips = flag(c.skip != nullptr), marks = flag(c.t.present != nullptr);
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const kernel_argument arguments[] = {rows,  offsets, wide,      columns, a,
                                       iso,   x,       present,   bitmap,  skip,
                                       skips, w,       w_present, marks,   parameters};
  const std::size_t group = std::min<std::size_t>(128, runtime_->traits().group_limit);
  runtime_->launch(c.operation(), *c.program, "t_csr_scalar", arguments,
                   std::min(divide_up(rows, group), largest_grid), group);
}

void device_backend::csr_vector(call& c) {
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const void *offsets = read_device(c.m.offsets), *columns = read_device(c.m.column_indices);
  const void* a = read_device(c.uses_matrix() ? c.m.values : nullptr);
  const void* x = read_device(c.uses_vector() ? c.u.values : nullptr);
  const void* present = read_device(c.is_bitmap() ? c.u.present : nullptr);
  const void* skip = read_device(c.skip);
  void *w = write_device(c.t.values), *w_present = write_device(c.t.present);
  const std::uint32_t wide = flag(c.m.wide), iso = flag(c.m.iso), bitmap = flag(c.is_bitmap()),
                      skips = flag(c.skip != nullptr), marks = flag(c.t.present != nullptr),
                      width = c.chosen.width;
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const kernel_argument arguments[] = {rows, width,     offsets, wide,      columns, a,
                                       iso,  x,         present, bitmap,    skip,    skips,
                                       w,    w_present, marks,   parameters};
  const std::uint64_t rows_of_group = c.chosen.group_size() / width;
  runtime_->launch(c.operation(), *c.program, "t_csr_vector", arguments,
                   std::min(divide_up(rows, rows_of_group), largest_grid), c.chosen.group_size());
}

void device_backend::csr_padded(call& c) {
  const auto format = padded(c.m);
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const void *segments = read_device(format->parts[0]), *columns = read_device(format->parts[1]);
  const void* a = read_device(!c.uses_matrix() ? nullptr : c.m.iso ? c.m.values : format->parts[2]);
  const void* x = read_device(c.uses_vector() ? c.u.values : nullptr);
  const void* present = read_device(c.is_bitmap() ? c.u.present : nullptr);
  const void* skip = read_device(c.skip);
  void *w = write_device(c.t.values), *w_present = write_device(c.t.present);
  const std::uint32_t iso = flag(c.m.iso), bitmap = flag(c.is_bitmap()),
                      skips = flag(c.skip != nullptr), marks = flag(c.t.present != nullptr);
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const kernel_argument arguments[] = {rows,   segments, columns, a, iso,       x,     present,
                                       bitmap, skip,     skips,   w, w_present, marks, parameters};
  const std::uint64_t width = std::min<std::uint32_t>(16, c.chosen.bunch);
  runtime_->launch(c.operation(), *c.program, "t_csr_padded", arguments,
                   std::min(divide_up(rows, c.chosen.group_size() / width), largest_grid),
                   c.chosen.group_size());
}

// --- segmented sums ----------------------------------------------------------------------------

// What bunches have of rows that began before them: a slot a bunch.
struct device_backend::synchronizer {
  std::uint64_t slots = 0;
  buffer_pointer row, found, value;
};

device_backend::synchronizer device_backend::make_synchronizer(const call& c, std::uint64_t slots) {
  return {slots, allocate(slots * sizeof(std::uint32_t)), allocate(slots),
          allocate(slots * c.t.type->size)};
}

// Adds the synchronizer to t: in one launch, or level by level where a row has very many slots.
void device_backend::join_late(call& c, const compiled_program& program, synchronizer late) {
  void *w = write_device(c.t.values, access::modify),
       *w_present = write_device(c.t.present, access::modify);
  const std::uint32_t marks = flag(c.t.present != nullptr);
  // Slots of the longest row: up to some windows of a bunch, one launch does.
  const std::uint64_t entries = c.chosen.entries_of_bunch();
  if (static_cast<std::uint64_t>(c.m.longest_row) / entries < 16 * c.chosen.bunch) {
    if (late.slots < 2) return;
    const void *row = read_device(late.row), *found = read_device(late.found),
               *value = read_device(late.value), *offsets = read_device(c.m.offsets);
    const std::uint32_t wide = flag(c.m.wide);
    const kernel_argument arguments[] = {late.slots, row,     found, value,     offsets,
                                         wide,       entries, w,     w_present, marks};
    runtime_->launch(c.operation(), program, "t_join_runs", arguments,
                     divide_up(late.slots, c.chosen.bunches), c.chosen.group_size());
    return;
  }
  while (late.slots > 1) {
    const std::uint64_t bunches = divide_up(late.slots, c.chosen.entries_of_bunch());
    const synchronizer next = make_synchronizer(c, bunches);
    const void *row = read_device(late.row), *found = read_device(late.found),
               *value = read_device(late.value);
    void *next_row = write_device(next.row), *next_found = write_device(next.found),
         *next_value = write_device(next.value);
    const kernel_argument arguments[] = {late.slots, row,   found,    value,      w,
                                         w_present,  marks, next_row, next_found, next_value};
    runtime_->launch(c.operation(), program, "t_join_late", arguments,
                     divide_up(bunches, c.chosen.bunches), c.chosen.group_size());
    late = next;
  }
}

void device_backend::coo(call& c) {
  const auto format = row_indices(c.m);
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  const std::uint64_t bunches = divide_up(nnz, c.chosen.entries_of_bunch());
  if (c.t.present) runtime_->fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(c, bunches);
  const void *row_of = read_device(format->parts[0]), *columns = read_device(c.m.column_indices);
  const void* a = read_device(c.uses_matrix() ? c.m.values : nullptr);
  const void* x = read_device(c.uses_vector() ? c.u.values : nullptr);
  const void* present = read_device(c.is_bitmap() ? c.u.present : nullptr);
  void *w = write_device(c.t.values), *w_present = write_device(c.t.present, access::modify);
  void *late_row = write_device(late.row), *late_found = write_device(late.found),
       *late_value = write_device(late.value);
  const std::uint32_t iso = flag(c.m.iso), bitmap = flag(c.is_bitmap()),
                      marks = flag(c.t.present != nullptr);
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const kernel_argument arguments[] = {nnz,   row_of,   columns,    a,          iso,
                                       x,     present,  bitmap,     w,          w_present,
                                       marks, late_row, late_found, late_value, parameters};
  runtime_->launch(c.operation(), *c.program, "t_coo", arguments,
                   divide_up(bunches, c.chosen.bunches), c.chosen.group_size());
  join_late(c, *c.program, late);
}

void device_backend::csr_segmented(call& c) {
  const auto nnz = static_cast<std::uint64_t>(c.m.nnz);
  const auto rows = static_cast<std::uint64_t>(c.m.rows);
  const std::uint64_t bunches = divide_up(nnz, c.chosen.entries_of_bunch());
  if (c.t.present) runtime_->fill(c.t.present->device_write(), 0, c.t.present->bytes());
  const synchronizer late = make_synchronizer(c, bunches);
  const bool speculates = c.chosen.speculate;
  const buffer_pointer dirty_count = speculates ? allocate(sizeof(std::uint32_t)) : nullptr;
  const buffer_pointer dirty_tiles =
      speculates ? allocate(bunches * c.chosen.tiles * sizeof(std::uint32_t)) : nullptr;
  if (speculates) runtime_->fill(dirty_count->device_write(), 0, sizeof(std::uint32_t));

  const void *offsets = read_device(c.m.offsets), *columns = read_device(c.m.column_indices);
  const void* a = read_device(c.uses_matrix() ? c.m.values : nullptr);
  const void* x = read_device(c.uses_vector() ? c.u.values : nullptr);
  const void* present = read_device(c.is_bitmap() ? c.u.present : nullptr);
  void *w = write_device(c.t.values), *w_present = write_device(c.t.present, access::modify);
  void *late_row = write_device(late.row), *late_found = write_device(late.found),
       *late_value = write_device(late.value);
  void *count = write_device(dirty_count, access::modify), *tiles = write_device(dirty_tiles);
  const std::uint32_t wide = flag(c.m.wide), iso = flag(c.m.iso), bitmap = flag(c.is_bitmap()),
                      marks = flag(c.t.present != nullptr);
  const std::vector<std::uint64_t> parameters = parameter_words_of(c.request);
  const kernel_argument arguments[] = {
      rows, nnz,       offsets, wide,     columns,    a,          iso,   x,     present,   bitmap,
      w,    w_present, marks,   late_row, late_found, late_value, count, tiles, parameters};
  const std::size_t groups = divide_up(bunches, c.chosen.bunches), group = c.chosen.group_size();
  runtime_->launch(c.operation(), *c.program, "t_csr_segmented", arguments, groups, group);

  if (c.chosen.check_on_host) {
    check_on_host(c, late, dirty_count, dirty_tiles);
    return;
  }
  if (speculates && c.m.empty_rows > 0) {
    const kernel_argument repair[] = {rows, nnz, offsets, wide, w, w_present, count, tiles};
    runtime_->launch(c.operation(), *c.program, "t_repair", repair,
                     std::min(groups, 8 * runtime_->traits().processors), group);
  }
  join_late(c, *c.program, late);
}

// As the paper has it: the host reads what stage 1 left, moves the sums of dirty tiles and adds the
// synchronizer's in the order of bunches.
void device_backend::check_on_host(call& c, const synchronizer& late,
                                   const buffer_pointer& dirty_count,
                                   const buffer_pointer& dirty_tiles) {
  const std::size_t bytes = c.t.type->size;
  auto* w = static_cast<std::byte*>(c.t.values->host_write(access::modify));
  auto* has =
      c.t.present ? static_cast<std::uint8_t*>(c.t.present->host_write(access::modify)) : nullptr;
  const std::uint32_t dirty =
      dirty_count ? *static_cast<const std::uint32_t*>(dirty_count->host()) : 0;
  const std::uint64_t tile_size = std::uint64_t{c.chosen.bunch} * c.chosen.items;
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
      has[to] = has[from];
      has[from] = 0;
    }
  }
  const auto* row = static_cast<const std::uint32_t*>(late.row->host());
  const auto* found = static_cast<const std::uint8_t*>(late.found->host());
  const auto* value = static_cast<const std::byte*>(late.value->host());
  for (std::uint64_t n = 0; n < late.slots; ++n) {
    if (!found[n]) continue;
    std::byte* sum = w + std::size_t{row[n]} * bytes;
    if (has == nullptr || has[row[n]])
      c.p.semiring.add.add({.z = sum, .x = sum, .y = value + n * bytes, .count = 1});
    else
      std::memcpy(sum, value + n * bytes, bytes);
    if (has) has[row[n]] = 1;
  }
}

}  // namespace tropic::detail
