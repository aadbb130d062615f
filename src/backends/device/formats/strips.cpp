// SPDX-License-Identifier: Apache-2.0

// Strips of rows and padded rows, made and unmade by the device (strips.kernel): the arrays of
// src/containers/formats/cmrs.hpp and padded_rows.hpp, to the bit.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tropic/error.hpp>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"
#include "containers/formats/padded_rows.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint32_t row_unit = format_cache::padded_row_unit;

// Work-items that sort a strip in local memory, strips of a group, and words of a work-item.
struct team {
  std::uint32_t work_items, teams, items;

  std::uint64_t capacity() const { return std::uint64_t{work_items} * items; }
  std::vector<std::pair<std::string_view, long>> constants(const device_traits& device) const {
    return {{"T_SHUFFLE", device.exchange == subgroup_exchange::shuffle},
            {"T_TEAM", work_items},
            {"T_TEAMS", teams},
            {"T_PER_ITEM", items}};
  }
};

// The smallest whose capacity every strip has, or a strip of twice the mean: longer ones are sorted
// otherwise.
team team_for(const device_traits& device, const matrix_base& m, std::uint32_t height) {
  constexpr team all[] = {{32, 4, 4},  {32, 4, 16}, {128, 1, 8},
                          {256, 1, 8}, {512, 1, 8}, {512, 1, 16}};
  const auto longest = static_cast<std::uint64_t>(m.longest_row) * height;
  const auto usual =
      static_cast<std::uint64_t>(m.nnz / std::max<index_t>(m.rows, 1) + 1) * height * 2;
  team chosen = all[0];
  for (const team& t : all) {
    const std::size_t bytes = t.teams * (t.capacity() + 17) * sizeof(std::uint32_t);
    if (t.work_items * t.teams > device.group_limit || bytes > device.local_bytes) break;
    chosen = t;
    if (t.capacity() >= std::min(longest, usual)) break;
  }
  return chosen;
}

}  // namespace

matrix_base format_cache::without_entries(const matrix_base& like) const {
  matrix_base result = like;
  result.derived = make_derived_copies();
  result.column_indices =
      device_.allocate(static_cast<std::size_t>(like.nnz) * sizeof(std::uint32_t));
  if (!like.iso)
    result.values = device_.allocate(static_cast<std::size_t>(like.nnz) * like.type->size);
  return result;
}

// --- where tiles begin -------------------------------------------------------------------------

// in_strips::starts alone: the first tile of each strip, and how many there are. `overhead`: words
// an entry.
converted_copy format_cache::make_tile_starts(const matrix_base& m, const strip_layout& layout,
                                              const compiled_program& program) {
  converted_copy result;
  const matrix_arguments c(device_, m);
  const std::uint64_t strips = layout.strips(m.rows);
  result.parts.push_back(device_.allocate((strips + 1) * sizeof(std::uint32_t)));
  if (strips == 0) {
    device_.runtime().fill(device_.write(result.parts[in_strips::starts]), 0,
                           result.parts[in_strips::starts]->bytes());
    return result;
  }
  const std::uint64_t run = (strips + most_runs - 1) / most_runs, runs = (strips + run - 1) / run;
  const buffer_pointer sums = device_.allocate(runs * sizeof(std::uint64_t)),
                       total = device_.allocate(sizeof(std::uint64_t));
  arguments list{c.rows, strips, c.offsets, c.wide, layout.height, layout.tile, layout.slots, run};
  void* to = device_.write(sums);
  list.emplace_back(to);
  device_.launch_over(runs, "tiles of strips", program, "t_tiles_of_runs", list);
  scan(device_, runs, sums, total);
  const std::uint64_t tiles = *static_cast<const std::uint64_t*>(total->host());
  if (tiles > std::numeric_limits<std::uint32_t>::max())
    throw usage_error("padded strips: " + std::to_string(tiles) + " tiles of " +
                      std::to_string(layout.tile) + " words, 32 bits count them");
  if (m.nnz > 0)
    result.overhead = static_cast<double>(tiles) * layout.tile / static_cast<double>(m.nnz);
  list.pop_back();
  const void* from = device_.read(sums);
  to = device_.write(result.parts[in_strips::starts]);
  list.insert(list.end(), {from, to});
  device_.launch_over(runs, "tiles of strips", program, "t_tile_starts", list);
  result.words = tiles * layout.tile;
  return result;
}

// Kept apart from the strips themselves, as it says beforehand what they would take.
format_cache::format format_cache::tile_starts(const matrix_base& m, const strip_layout& layout) {
  return find_or_make(m, name_of(layout) + ":starts", {.kernel = "strips"},
                      [&](converted_copy& result, auto* program) {
                        result = make_tile_starts(m, layout, *program);
                      });
}

// --- strips ------------------------------------------------------------------------------------

std::string format_cache::name_of(const strip_layout& layout) {
  if (!layout.is_padded()) return "cmrs:" + std::to_string(layout.height);
  return "cmrs_padded:" + std::to_string(layout.height) + "," + std::to_string(layout.tile) + "," +
         std::to_string(layout.slots);
}

double format_cache::overhead(const matrix_base& m, const strip_layout& layout) {
  return layout.is_padded() ? tile_starts(m, layout)->overhead : 1;
}

format_cache::format format_cache::strips(const matrix_base& m, const strip_layout& layout) {
  return layout.is_padded() ? padded_strips(m, layout) : plain_strips(m, layout);
}

format_cache::format format_cache::plain_strips(const matrix_base& m, const strip_layout& layout) {
  const team t = team_for(device_.traits(), m, layout.height);
  const program_request request{.kernel = "sorted_strips",
                                .constants = t.constants(device_.traits())};
  return find_or_make(m, name_of(layout), request, [&](converted_copy& result, auto* program) {
    const matrix_arguments c(device_, m);
    const std::uint64_t strips = layout.strips(m.rows);
    result.words = c.nnz;
    result.parts.push_back(device_.allocate((strips + 1) * (m.wide ? 8 : sizeof(std::uint32_t))));
    result.parts.push_back(device_.allocate(c.nnz * sizeof(std::uint32_t)));
    if (!m.iso) result.parts.push_back(device_.allocate(c.nnz * c.bytes));
    void* first = device_.write(result.parts[in_strips::starts]);
    const kernel_argument of_strips[] = {c.rows, strips, c.offsets, c.wide, layout.height, first};
    device_.launch_over(strips + 1, "conversion to cmrs", *program, "t_strip_starts", of_strips);
    if (c.nnz == 0) return;
    // A chunk of each long strip may be short.
    const bool has_long = t.capacity() < static_cast<std::uint64_t>(m.longest_row) * layout.height;
    const std::uint64_t most_chunks = has_long ? 2 * c.nnz / t.capacity() + 1 : 0;
    const buffer_pointer chunks = device_.allocate((1 + 2 * most_chunks) * sizeof(std::uint32_t));
    void* list = device_.write(chunks);
    device_.runtime().fill(list, 0, sizeof(std::uint32_t));
    const void *columns = device_.read(m.column_indices),
               *from = device_.read(m.iso ? nullptr : m.values);
    void *words = device_.write(result.parts[in_strips::words]),
         *to = device_.write(m.iso ? nullptr : result.parts[in_strips::values]);
    const kernel_argument all[] = {c.rows, strips, c.offsets, c.wide,  layout.height, columns,
                                   words,  from,   to,        c.bytes, list};
    device_.runtime().launch("conversion to cmrs", *program, "t_to_strips", all,
                             std::min<std::size_t>((strips + t.teams - 1) / t.teams, largest_grid),
                             std::size_t{t.work_items} * t.teams);
    if (!has_long) return;
    const kernel_argument of_long[] = {c.rows, c.offsets, c.wide, layout.height, columns,
                                       words,  from,      to,     c.bytes,       list};
    device_.launch_over(most_chunks * 128, "conversion to cmrs", *program, "t_to_long_strips",
                        of_long);
  });
}

// Of a launch between CSR and padded strips, one way or `back`.
struct format_cache::padded_arrays {
  const void* starts;  // of tiles
  std::uint32_t back = 0;
  const void *columns, *words, *from;
  void* to;
};

format_cache::format format_cache::padded_strips(const matrix_base& m, const strip_layout& layout) {
  const auto starts = tile_starts(m, layout);
  return find_or_make(
      m, name_of(layout), {.kernel = "strips"}, [&](converted_copy& result, auto* program) {
        const matrix_arguments c(device_, m);
        result.words = starts->words;
        result.overhead = starts->overhead;
        result.seconds = starts->seconds;
        result.parts = starts->parts;
        result.parts.push_back(device_.allocate(result.words * sizeof(std::uint32_t)));
        if (!m.iso) result.parts.push_back(device_.allocate(result.words * c.bytes));
        const void *first = device_.read(result.parts[in_strips::starts]),
                   *columns = device_.read(m.column_indices),
                   *from = device_.read(m.iso ? nullptr : m.values);
        void *words = device_.write(result.parts[in_strips::words]),
             *to = device_.write(m.iso ? nullptr : result.parts[in_strips::values]);
        launch_padded(
            c, layout, result.words, *program, "conversion to cmrs_padded",
            {.starts = first, .columns = columns, .words = words, .from = from, .to = to});
      });
}

// What is not written is not changed.
void format_cache::launch_padded(const matrix_arguments& c, const strip_layout& layout,
                                 std::uint64_t size, const compiled_program& program,
                                 std::string_view operation, const padded_arrays& arrays) {
  const std::uint64_t strips = layout.strips(static_cast<index_t>(c.rows)),
                      tiles = size / layout.tile;
  const kernel_argument list[] = {c.rows,      strips,         tiles,        c.offsets,
                                  c.wide,      layout.height,  layout.tile,  arrays.starts,
                                  arrays.back, arrays.columns, arrays.words, arrays.from,
                                  arrays.to,   c.bytes};
  device_.launch_over(size, operation, program, "t_padded_strips", list);
}

matrix_base format_cache::from_strips(const converted_copy& copy, const matrix_base& like,
                                      const strip_layout& layout) {
  matrix_base result = without_entries(like);
  const matrix_arguments c(device_, result);
  const auto* program = device_.runtime().program({.kernel = "strips"});
  const void *words = device_.read(copy.parts[in_strips::words]),
             *from = device_.read(like.iso ? nullptr : copy.parts[in_strips::values]);
  void *columns = device_.write(result.column_indices),
       *to = device_.write(like.iso ? nullptr : result.values);
  if (layout.is_padded()) {
    launch_padded(c, layout, copy.words, *program, "conversion to CSR",
                  {.starts = device_.read(copy.parts[in_strips::starts]),
                   .back = 1,
                   .columns = columns,
                   .words = words,
                   .from = from,
                   .to = to});
  } else {
    const kernel_argument list[] = {c.rows,  c.offsets, c.wide, layout.height, words,
                                    columns, from,      to,     c.bytes};
    device_.launch_over(c.rows, "conversion to CSR", *program, "t_from_strips", list);
  }
  return result;
}

// --- padded rows -------------------------------------------------------------------------------

format_cache::format format_cache::padded(const matrix_base& m) {
  const std::string name = "padded:" + std::to_string(row_unit);
  return find_or_make(m, name, {.kernel = "strips"}, [&](converted_copy& result, auto* program) {
    const matrix_arguments c(device_, m);
    // A row's segments are the tiles of a strip of one row.
    static_assert(std::size_t{in_padded_rows::segments} == in_strips::starts);
    result = make_tile_starts(m, {.height = 1, .tile = row_unit, .slots = row_unit}, *program);
    result.parts.push_back(device_.allocate(result.words * sizeof(std::uint32_t)));
    if (!m.iso) result.parts.push_back(device_.allocate(result.words * c.bytes));
    const void *segments = device_.read(result.parts[in_padded_rows::segments]),
               *columns = device_.read(m.column_indices),
               *from = device_.read(m.iso ? nullptr : m.values);
    void *to_columns = device_.write(result.parts[in_padded_rows::columns]),
         *to = device_.write(m.iso ? nullptr : result.parts[in_padded_rows::values]);
    const kernel_argument list[] = {c.rows,  result.words, c.offsets, c.wide, row_unit, segments,
                                    columns, to_columns,   from,      to,     c.bytes};
    device_.launch_over(result.words, "conversion to csr_padded", *program, "t_to_padded_rows",
                        list);
  });
}

matrix_base format_cache::from_padded(const converted_copy& copy, const matrix_base& like) {
  matrix_base result = without_entries(like);
  const matrix_arguments c(device_, result);
  const void *segments = device_.read(copy.parts[in_padded_rows::segments]),
             *padded = device_.read(copy.parts[in_padded_rows::columns]),
             *from = device_.read(like.iso ? nullptr : copy.parts[in_padded_rows::values]);
  void *columns = device_.write(result.column_indices),
       *to = device_.write(like.iso ? nullptr : result.values);
  const kernel_argument list[] = {c.rows, c.nnz,   c.offsets, c.wide, row_unit, segments,
                                  padded, columns, from,      to,     c.bytes};
  device_.launch_over(c.nnz, "conversion to CSR", *device_.runtime().program({.kernel = "strips"}),
                      "t_from_padded_rows", list);
  return result;
}

}  // namespace tropic::detail
