// SPDX-License-Identifier: Apache-2.0

// Strips of rows and padded rows, made and unmade by the device (strips.kernel): the arrays of
// src/containers/cmrs.hpp and padded_rows.hpp, to the bit.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <tropic/error.hpp>

#include "backends/device/conversion.hpp"
#include "containers/padded_rows.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint32_t row_unit = 16;  // entries of a padded row's segment (paper 003)

// Work-items that sort a strip in local memory, strips of a group, and words of a work-item.
struct team {
  std::uint32_t work_items, teams, each;

  std::uint64_t capacity() const { return std::uint64_t{work_items} * each; }
  std::vector<std::pair<std::string_view, long>> constants(const device_traits& device) const {
    return {{"T_SHUFFLE", device.exchange == subgroup_exchange::shuffle},
            {"T_TEAM", work_items},
            {"T_TEAMS", teams},
            {"T_EACH", each}};
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

matrix_base device_backend::without_entries(const matrix_base& like) const {
  matrix_base made = like;
  made.derived = make_derived_copies();
  made.column_indices = allocate(static_cast<std::size_t>(like.nnz) * sizeof(std::uint32_t));
  if (!like.iso) made.values = allocate(static_cast<std::size_t>(like.nnz) * like.type->size);
  return made;
}

// --- where tiles begin -------------------------------------------------------------------------

// parts: the first tile of each strip, and how many there are. `overhead`: words an entry.
converted_copy device_backend::make_tile_starts(const matrix_base& m, const strip_layout& layout,
                                                const compiled_program& program) {
  converted_copy made;
  const conversion c(*this, m);
  const std::uint64_t strips = layout.strips(m.rows);
  made.parts.push_back(allocate((strips + 1) * sizeof(std::uint32_t)));
  if (strips == 0) {
    runtime_->fill(write_device(made.parts[0]), 0, made.parts[0]->bytes());
    return made;
  }
  const std::uint64_t run = (strips + most_runs - 1) / most_runs, runs = (strips + run - 1) / run;
  const buffer_pointer sums = allocate(runs * sizeof(std::uint64_t)),
                       total = allocate(sizeof(std::uint64_t));
  arguments list{c.rows, strips, c.offsets, c.wide, layout.height, layout.tile, layout.slots, run};
  void* to = write_device(sums);
  list.emplace_back(to);
  launch_over(runs, "tiles of strips", program, "t_tiles_of_runs", list);
  scan(runs, sums, total);
  const std::uint64_t tiles = *static_cast<const std::uint64_t*>(total->host());
  if (tiles > std::numeric_limits<std::uint32_t>::max())
    throw usage_error("padded strips: " + std::to_string(tiles) + " tiles of " +
                      std::to_string(layout.tile) + " words, 32 bits count them");
  if (m.nnz > 0)
    made.overhead = static_cast<double>(tiles) * layout.tile / static_cast<double>(m.nnz);
  list.pop_back();
  const void* from = read_device(sums);
  to = write_device(made.parts[0]);
  list.insert(list.end(), {from, to});
  launch_over(runs, "tiles of strips", program, "t_tile_starts", list);
  made.words = tiles * layout.tile;
  return made;
}

// Kept apart from the strips themselves, as it says beforehand what they would take.
std::shared_ptr<const converted_copy> device_backend::tile_starts(const matrix_base& m,
                                                                  const strip_layout& layout) {
  return format(
      m, name_of(layout) + ":starts", {.kernel = "strips"},
      [&](converted_copy& made, auto* program) { made = make_tile_starts(m, layout, *program); });
}

// --- strips ------------------------------------------------------------------------------------

std::string device_backend::name_of(const strip_layout& layout) {
  if (!layout.is_padded()) return "cmrs:" + std::to_string(layout.height);
  return "cmrs_padded:" + std::to_string(layout.height) + "," + std::to_string(layout.tile) + "," +
         std::to_string(layout.slots);
}

double device_backend::overhead(const matrix_base& m, const strip_layout& layout) {
  return layout.is_padded() ? tile_starts(m, layout)->overhead : 1;
}

std::shared_ptr<const converted_copy> device_backend::strips(const matrix_base& m,
                                                             const strip_layout& layout) {
  return layout.is_padded() ? padded_strips(m, layout) : plain_strips(m, layout);
}

std::shared_ptr<const converted_copy> device_backend::plain_strips(const matrix_base& m,
                                                                   const strip_layout& layout) {
  const team t = team_for(runtime_->traits(), m, layout.height);
  const program_request request{.kernel = "sorted_strips",
                                .constants = t.constants(runtime_->traits())};
  return format(m, name_of(layout), request, [&](converted_copy& made, auto* program) {
    const conversion c(*this, m);
    const std::uint64_t strips = layout.strips(m.rows);
    made.words = c.nnz;
    made.parts.push_back(allocate((strips + 1) * (m.wide ? 8 : sizeof(std::uint32_t))));
    made.parts.push_back(allocate(c.nnz * sizeof(std::uint32_t)));
    if (!m.iso) made.parts.push_back(allocate(c.nnz * c.bytes));
    void* first = write_device(made.parts[0]);
    const kernel_argument of_strips[] = {c.rows, strips, c.offsets, c.wide, layout.height, first};
    launch_over(strips + 1, "conversion to cmrs", *program, "t_strip_starts", of_strips);
    if (c.nnz == 0) return;
    // A chunk of each long strip may be short.
    const bool has_long = t.capacity() < static_cast<std::uint64_t>(m.longest_row) * layout.height;
    const std::uint64_t most_chunks = has_long ? 2 * c.nnz / t.capacity() + 1 : 0;
    const buffer_pointer chunks = allocate((1 + 2 * most_chunks) * sizeof(std::uint32_t));
    void* list = write_device(chunks);
    runtime_->fill(list, 0, sizeof(std::uint32_t));
    const void *columns = read_device(m.column_indices),
               *from = read_device(m.iso ? nullptr : m.values);
    void *words = write_device(made.parts[1]), *to = write_device(m.iso ? nullptr : made.parts[2]);
    const kernel_argument all[] = {c.rows, strips, c.offsets, c.wide,  layout.height, columns,
                                   words,  from,   to,        c.bytes, list};
    runtime_->launch("conversion to cmrs", *program, "t_to_strips", all,
                     std::min<std::size_t>((strips + t.teams - 1) / t.teams, largest_grid),
                     std::size_t{t.work_items} * t.teams);
    if (!has_long) return;
    const kernel_argument of_long[] = {c.rows, c.offsets, c.wide, layout.height, columns,
                                       words,  from,      to,     c.bytes,       list};
    launch_over(most_chunks * 128, "conversion to cmrs", *program, "t_to_long_strips", of_long);
  });
}

std::shared_ptr<const converted_copy> device_backend::padded_strips(const matrix_base& m,
                                                                    const strip_layout& layout) {
  const auto starts = tile_starts(m, layout);
  return format(m, name_of(layout), {.kernel = "strips"}, [&](converted_copy& made, auto* program) {
    const conversion c(*this, m);
    made.words = starts->words;
    made.overhead = starts->overhead;
    made.seconds = starts->seconds;
    made.parts = starts->parts;
    made.parts.push_back(allocate(made.words * sizeof(std::uint32_t)));
    if (!m.iso) made.parts.push_back(allocate(made.words * c.bytes));
    const void *first = read_device(made.parts[0]), *columns = read_device(m.column_indices),
               *from = read_device(m.iso ? nullptr : m.values);
    void *words = write_device(made.parts[1]), *to = write_device(m.iso ? nullptr : made.parts[2]);
    launch_padded(c, layout, made.words, *program, "conversion to cmrs_padded", first, 0, columns,
                  words, from, to);
  });
}

// Between CSR and padded strips, one way or `back`: what is not written is not changed.
void device_backend::launch_padded(const conversion& c, const strip_layout& layout,
                                   std::uint64_t size, const compiled_program& program,
                                   std::string_view operation, const void* starts,
                                   std::uint32_t back, const void* columns, const void* words,
                                   const void* from, void* to) {
  const std::uint64_t strips = layout.strips(static_cast<index_t>(c.rows)),
                      tiles = size / layout.tile;
  const kernel_argument list[] = {c.rows,        strips,      tiles,  c.offsets, c.wide,
                                  layout.height, layout.tile, starts, back,      columns,
                                  words,         from,        to,     c.bytes};
  launch_over(size, operation, program, "t_padded_strips", list);
}

matrix_base device_backend::from_strips(const converted_copy& copy, const matrix_base& like,
                                        const strip_layout& layout) {
  matrix_base made = without_entries(like);
  const conversion c(*this, made);
  const auto* program = runtime_->program({.kernel = "strips"});
  const void *words = read_device(copy.parts[1]),
             *from = read_device(like.iso ? nullptr : copy.parts[2]);
  void *columns = write_device(made.column_indices),
       *to = write_device(like.iso ? nullptr : made.values);
  if (layout.is_padded()) {
    launch_padded(c, layout, copy.words, *program, "conversion to CSR", read_device(copy.parts[0]),
                  1, columns, words, from, to);
  } else {
    const kernel_argument list[] = {c.rows,  c.offsets, c.wide, layout.height, words,
                                    columns, from,      to,     c.bytes};
    launch_over(c.rows, "conversion to CSR", *program, "t_from_strips", list);
  }
  return made;
}

// --- padded rows -------------------------------------------------------------------------------

std::shared_ptr<const converted_copy> device_backend::padded(const matrix_base& m) {
  const std::string name = "padded:" + std::to_string(row_unit);
  return format(m, name, {.kernel = "strips"}, [&](converted_copy& made, auto* program) {
    const conversion c(*this, m);
    // A row's segments are the tiles of a strip of one row.
    made = make_tile_starts(m, {.height = 1, .tile = row_unit, .slots = row_unit}, *program);
    made.parts.push_back(allocate(made.words * sizeof(std::uint32_t)));
    if (!m.iso) made.parts.push_back(allocate(made.words * c.bytes));
    const void *segments = read_device(made.parts[0]), *columns = read_device(m.column_indices),
               *from = read_device(m.iso ? nullptr : m.values);
    void *to_columns = write_device(made.parts[1]),
         *to = write_device(m.iso ? nullptr : made.parts[2]);
    const kernel_argument list[] = {c.rows,  made.words, c.offsets, c.wide, row_unit, segments,
                                    columns, to_columns, from,      to,     c.bytes};
    launch_over(made.words, "conversion to csr_padded", *program, "t_to_padded_rows", list);
  });
}

matrix_base device_backend::from_padded(const converted_copy& copy, const matrix_base& like) {
  matrix_base made = without_entries(like);
  const conversion c(*this, made);
  const void *segments = read_device(copy.parts[0]), *padded = read_device(copy.parts[1]),
             *from = read_device(like.iso ? nullptr : copy.parts[2]);
  void *columns = write_device(made.column_indices),
       *to = write_device(like.iso ? nullptr : made.values);
  const kernel_argument list[] = {c.rows, c.nnz,   c.offsets, c.wide, row_unit, segments,
                                  padded, columns, from,      to,     c.bytes};
  launch_over(c.nnz, "conversion to CSR", *runtime_->program({.kernel = "strips"}),
              "t_from_padded_rows", list);
  return made;
}

}  // namespace tropic::detail
