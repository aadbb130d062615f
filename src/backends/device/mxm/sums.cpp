// SPDX-License-Identifier: Apache-2.0

// The values of a product of sparse matrices at the entries of a pattern: by work-items for short
// rows (mxm_short.kernel), by tiles of entries (mxm_values.kernel) and by ranges of columns in long
// rows (mxm_ranges.kernel), or by inner products (mxm_inner.kernel).

#include <algorithm>

#include "backends/device/matrices/sorted_entries.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/mxm/call.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"

namespace tropic::detail {

namespace {

// Entries of A that a tile has to visit on average, at most: tiles of few entries of a mask are in
// many rows.
constexpr std::uint64_t most_visits = 1024;
constexpr std::uint32_t fewest_slots = 32;
// Of t_mxm_long_rows; the last is that of the rows that are not long.
constexpr std::uint64_t long_row_keys = 16;

// What the kernels are passed.
struct sum_arguments {
  const matrix_arguments p, a, b;
  const std::uint64_t entries, columns;
  const std::vector<std::uint64_t> parameters;
  const void *p_columns, *a_columns, *a_values, *b_columns, *b_values;
  const std::uint32_t a_iso, b_iso, marks;
  void *values, *found;

  sum_arguments(const sparse_call& c, const matrix_base& pattern, const values_found& result)
      : p(c.device, pattern),
        a(c.device, c.a()),
        b(c.device, c.b()),
        entries(p.nnz),
        columns(static_cast<std::uint64_t>(pattern.columns)),
        parameters(parameter_words_of(c.request)),
        p_columns(c.device.read(pattern.column_indices)),
        a_columns(c.device.read(c.a().column_indices)),
        a_values(c.device.read(c.p.semiring.multiply.uses_x() ? c.a().values : nullptr)),
        b_columns(c.device.read(c.b().column_indices)),
        b_values(c.device.read(c.p.semiring.multiply.uses_y() ? c.b().values : nullptr)),
        a_iso(as_flag(c.a().iso)),
        b_iso(as_flag(c.b().iso)),
        marks(as_flag(c.is_bound)),
        values(c.device.write(result.values)),
        found(c.device.write(result.found)) {}

  // What all kernels begin with.
  void append_operands_to(arguments& list) const {
    append(list, p.offsets, p.wide, p_columns, a.offsets, a.wide, a_columns, a_values, a_iso,
           b.offsets, b.wide, b_columns, b_values, b_iso, values);
  }
  void append_to(arguments& list, bool with_marks) const {
    append_operands_to(list);
    append(list, found);
    if (with_marks) append(list, marks);
    append(list, parameters);
  }
};

// Entries of a tile: few where entries of a mask are in many rows.
std::uint32_t tile_of(const sparse_call& c, std::uint64_t entries) {
  const std::uint64_t tiles = static_cast<std::uint64_t>(c.a().nnz) / most_visits + 1;
  const std::uint32_t fewest = std::min(c.config.tile, fewest_slots);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(entries / tiles, fewest, c.config.tile));
}

// Calls with the first of `units` that a subgroup has each, and the groups that take them; in as
// many parts as the product has chunks, or more where a grid is not larger. Parts are equally
// large, the last one beyond the end.
template <class F>
void in_parts(const sparse_call& c, mxm_pass pass, std::uint64_t units, std::uint32_t subgroups,
              F&& launch) {
  const std::uint64_t all = divide_up(units, subgroups),
                      parts = std::max<std::uint64_t>(c.work.chunks, divide_up(all, largest_grid)),
                      groups = divide_up(all, parts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t first = part * groups * subgroups;
    if (first >= units) break;
    mxm_checkpoint(c.device, c.work.chunks, pass, part * c.work.chunks / parts);
    launch(first, groups);
  }
}

// Rows of up to `short_row` entries in the pattern and in A. The other kernels leave them out.
void launch_short_rows(const sparse_call& c, const sum_arguments& all,
                       const std::uint32_t& short_row) {
  const compiled_program& program =
      *c.device.runtime().program(c.config.short_request(c.p.semiring));
  in_parts(c, mxm_pass::short_rows, all.p.rows, c.config.short_group,
           [&](const std::uint64_t& first, std::uint64_t groups) {
             arguments list;
             append(list, all.p.rows, first, short_row);
             all.append_operands_to(list);
             append(list, all.parameters);
             c.device.runtime().launch(mxm_operation, program, "t_mxm_short", list, groups,
                                       c.config.short_group);
           });
}

void launch_tiles(const sparse_call& c, const sum_arguments& all, const std::uint32_t& short_row,
                  const std::uint64_t& long_row) {
  const std::uint32_t tile = tile_of(c, all.entries);
  in_parts(c, mxm_pass::tiles, divide_up(all.entries, tile), c.config.subgroups_of_tiles,
           [&](const std::uint64_t& first, std::uint64_t groups) {
             arguments list;
             append(list, all.p.rows, all.entries, first, tile, short_row, long_row);
             all.append_to(list, true);
             c.device.runtime().launch(
                 mxm_operation, *c.program, "t_mxm_values", list, groups,
                 std::size_t{c.config.subgroup} * c.config.subgroups_of_tiles);
           });
}

// The rows of at least `long_row` entries, after the tiles, which mark nothing there; first those
// that take longest. The host does not learn how many there are: units beyond them do nothing.
void launch_ranges(const sparse_call& c, const sum_arguments& all, const std::uint64_t& long_row) {
  device_context& device = c.device;
  const std::uint64_t rows = all.p.rows, max_rows = std::min(rows, all.entries / long_row),
                      ranges = divide_up(all.columns, c.config.range);
  const buffer_pointer keys = device.allocate(rows * sizeof(std::uint32_t)),
                       begins = device.allocate((long_row_keys + 1) * sizeof(std::uint32_t));
  void* to_keys = device.write(keys);
  const kernel_argument list_of_keys[] = {rows,       all.p.offsets, all.p.wide, all.a.offsets,
                                          all.a.wide, long_row,      to_keys};
  device.launch_over(rows, mxm_operation, *device.runtime().program(c.config.rows_request()),
                     "t_mxm_long_rows", list_of_keys);
  const sorted_keys sorted = sort_keys(device, mxm_operation, rows, keys, long_row_keys);
  const void *from_keys = device.read(sorted.keys), *list_of_rows = device.read(sorted.order);
  void* to_begins = device.write(begins);
  const kernel_argument counting[] = {long_row_keys, rows, from_keys, to_begins};
  device.launch_over(long_row_keys + 1, mxm_operation, matrices_program(device),
                     "t_offsets_of_sorted", counting);
  const void* counts = device.read(begins);
  const compiled_program& program =
      *device.runtime().program(c.config.ranges_request(device.traits(), c.p.semiring));
  const std::uint64_t b_rows = static_cast<std::uint64_t>(c.b().rows),
                      words = b_rows * (ranges + 1);
  const bool cut = words <= c.config.cuts_per_entry * all.b.nnz;
  const buffer_pointer cuts = cut ? device.allocate(words * sizeof(std::uint32_t)) : nullptr;
  if (cut) {
    void* to_cuts = device.write(cuts);
    const kernel_argument cutting[] = {b_rows,     ranges,        all.b.offsets,
                                       all.b.wide, all.b_columns, to_cuts};
    device.launch_over(words, mxm_operation, program, "t_mxm_cut_rows", cutting);
  }
  const void* read_cuts = device.read(cuts);
  const std::uint32_t has_cuts = as_flag(cut);
  in_parts(c, mxm_pass::ranges, max_rows * ranges, c.config.subgroups_of_ranges,
           [&](const std::uint64_t& first, std::uint64_t groups) {
             arguments list;
             append(list, first, ranges, read_cuts, has_cuts, list_of_rows, counts);
             all.append_to(list, true);
             device.runtime().launch(mxm_operation, program, "t_mxm_ranges", list, groups,
                                     std::size_t{c.config.subgroup} * c.config.subgroups_of_ranges);
           });
}

void launch_inner(const sparse_call& c, const sum_arguments& all) {
  in_parts(c, mxm_pass::tiles, all.entries, 1,
           [&](const std::uint64_t& first, std::uint64_t entries) {
             const std::uint64_t end = std::min(first + entries, all.entries);
             arguments list;
             append(list, all.p.rows, first, end);
             all.append_to(list, false);
             c.device.launch_over(end - first, mxm_operation, *c.program, "t_mxm_inner", list);
           });
}

}  // namespace

values_found sums_at(const sparse_call& c, const matrix_base& pattern) {
  const auto entries = static_cast<std::uint64_t>(pattern.nnz);
  values_found result{c.device.allocate(entries * c.p.semiring.z().size),
                      c.is_bound ? c.device.allocate(entries) : nullptr};
  if (entries == 0) return result;
  const sum_arguments all(c, pattern, result);
  if (c.by_inner) {
    launch_inner(c, all);
    return result;
  }
  const std::uint64_t long_row = c.config.long_row_of(all.columns);
  const std::uint32_t short_row = c.short_row();
  if (short_row > 0) launch_short_rows(c, all, short_row);
  if (pattern.longest_row > short_row || c.a().longest_row > short_row)
    launch_tiles(c, all, short_row, long_row);
  if (static_cast<std::uint64_t>(pattern.longest_row) >= long_row) launch_ranges(c, all, long_row);
  return result;
}

}  // namespace tropic::detail
