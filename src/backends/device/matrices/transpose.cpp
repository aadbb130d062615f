// SPDX-License-Identifier: Apache-2.0

// What the device sorts by column: a transpose, and the entries that a push whose sums depend on
// their order multiplies (sort.kernel, prefix.kernel, matrices.kernel, expand.kernel).

#include <bit>
#include <cstring>

#include "backends/cpu/rows.hpp"
#include "backends/device/matrix_arguments.hpp"

namespace tropic::detail {
namespace {

constexpr std::size_t tile_group = 128, each = 8;  // of the kernels over tiles

program_request over_tiles(std::string_view kernel, std::size_t group, long count_bytes) {
  return {.kernel = kernel,
          .constants = {{"T_GROUP_SIZE", static_cast<long>(group)},
                        {"T_EACH", static_cast<long>(each)},
                        {"T_COUNT_BYTES", count_bytes}}};
}

}  // namespace

bool device_backend::are_few_entries(std::initializer_list<const matrix_base*> all) {
  index_t entries = 0;
  for (const matrix_base* m : all) {
    if (m == nullptr) continue;
    if (m->rows >= largest_dimension) return false;
    entries += m->nnz;
  }
  return entries < largest_dimension - 1;
}

device_backend::running_sums device_backend::sums_before(std::uint64_t n,
                                                         const buffer_pointer& counts,
                                                         std::size_t bytes) {
  running_sums made{allocate((n + 1) * sizeof(std::uint32_t)), allocate(sizeof(std::uint64_t))};
  void *before = write_device(made.before), *total = write_device(made.total);
  if (n == 0) {
    runtime_->fill(before, 0, made.before->bytes());
    runtime_->fill(total, 0, made.total->bytes());
    return made;
  }
  const std::size_t group = group_of(tile_group);
  const std::uint64_t tiles = (n + group * each - 1) / (group * each);
  const auto* program = runtime_->program(over_tiles("prefix", group, static_cast<long>(bytes)));
  const buffer_pointer sums = allocate(tiles * sizeof(std::uint64_t));
  const void* from = read_device(counts);
  void* of_tiles = write_device(sums);
  const kernel_argument first[] = {n, from, of_tiles};
  runtime_->launch("scan", *program, "t_sum_tiles", first, tiles, group);
  scan(tiles, sums, made.total);
  const kernel_argument second[] = {n, from, of_tiles, before};
  runtime_->launch("scan", *program, "t_sums_before", second, tiles, group);
  return made;
}

// So that what is timed is not a compiler.
void device_backend::compile_sort() {
  const std::size_t group = group_of(tile_group);
  runtime_->program(over_tiles("sort", group, 4));
  runtime_->program(over_tiles("prefix", group, 4));
  runtime_->program({.kernel = "scan"});
}

device_backend::sorted_keys device_backend::sort(std::string_view operation, std::uint64_t n,
                                                 const buffer_pointer& keys, index_t bound) {
  const std::size_t group = group_of(tile_group);
  const std::uint64_t tiles = (n + group * each - 1) / (group * each);
  const auto* program = runtime_->program(over_tiles("sort", group, 4));
  const buffer_pointer counts = allocate(16 * tiles * sizeof(std::uint32_t));
  sorted_keys from{keys, nullptr}, to, spare;
  const auto bits =
      static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(bound - 1)));
  for (std::uint32_t shift = 0; shift == 0 || shift < bits; shift += 4) {
    to = spare.keys != nullptr ? spare
                               : sorted_keys{allocate(n * sizeof(std::uint32_t)),
                                             allocate(n * sizeof(std::uint32_t))};
    const void *of_keys = read_device(from.keys), *order = read_device(from.order);
    const std::uint32_t ordered = from.order != nullptr;
    void *count = write_device(counts), *to_keys = write_device(to.keys),
         *to_order = write_device(to.order);
    const kernel_argument first[] = {n, of_keys, shift, tiles, count};
    runtime_->launch(operation, *program, "t_count_digits", first, tiles, group);
    const running_sums sums = sums_before(16 * tiles, counts, sizeof(std::uint32_t));
    const void* starts = read_device(sums.before);
    const kernel_argument second[] = {n,     of_keys, order,   ordered, shift,
                                      tiles, starts,  to_keys, to_order};
    runtime_->launch(operation, *program, "t_place_by_digit", second, tiles, group);
    if (ordered) spare = from;
    from = to;
  }
  return from;
}

// Where the rows begin whose entries' rows were sorted, and what is known of them.
void device_backend::lay_out_sorted(std::string_view operation, matrix_base& made,
                                    const sorted_keys& sorted) {
  const auto rows = static_cast<std::uint64_t>(made.rows),
             nnz = static_cast<std::uint64_t>(made.nnz);
  made.offsets = allocate((rows + 1) * sizeof(std::uint32_t));
  const void* keys = read_device(sorted.keys);
  void* to = write_device(made.offsets);
  const kernel_argument list[] = {rows, nnz, keys, to};
  launch_over(rows + 1, operation, *runtime_->program(matrices_request()), "t_offsets_of_sorted",
              list);
  inspect_rows(operation, made);
}

void device_backend::inspect_rows(std::string_view operation, matrix_base& m) {
  const conversion c(*this, m);
  const buffer_pointer counts = allocate(2 * sizeof(std::uint32_t));
  void* to = write_device(counts);
  runtime_->fill(to, 0, counts->bytes());
  const kernel_argument list[] = {c.rows, c.offsets, c.wide, to};
  if (c.rows > 0)
    runtime_->launch(operation, *runtime_->program(matrices_request()), "t_row_lengths", list,
                     std::min<std::size_t>((c.rows + 127) / 128, 8 * runtime_->traits().processors),
                     group_of(128));
  const auto* found = static_cast<const std::uint32_t*>(counts->host());
  m.longest_row = found[0];
  m.empty_rows = found[1];
}

program_request device_backend::matrices_request() const {
  return {.kernel = "matrices", .constants = {{"T_GROUP_SIZE", static_cast<long>(group_of(128))}}};
}

matrix_base device_backend::transposed(const matrix_base& a) {
  if (!are_few_entries({&a}) || a.columns >= largest_dimension || a.nnz == 0)
    return cpu_backend::transposed(a);
  constexpr std::string_view operation = "transpose";
  const on_cpu::memory_side here(context_, true);
  const conversion c(*this, a);
  matrix_base made = on_cpu::matrix_shell(here, *a.type, a.columns, a.rows);
  made.nnz = a.nnz;
  made.iso = a.iso;
  made.column_indices = allocate(c.nnz * sizeof(std::uint32_t));
  made.values = a.iso ? a.values : allocate(c.nnz * c.bytes);
  const sorted_keys sorted = sort(operation, c.nnz, a.column_indices, a.columns);
  const void *order = read_device(sorted.order), *from = read_device(a.values);
  void *columns = write_device(made.column_indices),
       *to = a.iso ? runtime_->nothing() : write_device(made.values);
  const kernel_argument list[] = {c.rows,  c.nnz, c.offsets, c.wide, order,
                                  columns, from,  to,        c.bytes};
  launch_over(c.nnz, operation, *runtime_->program(matrices_request()), "t_gather_sorted", list);
  lay_out_sorted(operation, made, sorted);
  return made;
}

matrix_base device_backend::pushed_part(std::string_view operation, const matrix_base& m,
                                        const vector_base& u) {
  const conversion c(*this, m);
  const auto* program = runtime_->program({.kernel = "expand"});
  const buffer_pointer lengths = allocate(c.rows * sizeof(std::uint32_t));
  const void* present = read_device(u.present);
  const std::uint32_t bitmap = u.storage == vector_storage::bitmap;
  void* to_lengths = write_device(lengths);
  const kernel_argument of_rows[] = {c.rows, present, bitmap, c.offsets, c.wide, to_lengths};
  launch_over(c.rows, operation, *program, "t_edges_of", of_rows);
  const running_sums sums = sums_before(c.rows, lengths, sizeof(std::uint32_t));

  const on_cpu::memory_side here(context_, true);
  matrix_base made = on_cpu::matrix_shell(here, *m.type, m.columns, m.rows);
  made.nnz = sums.all();
  made.iso = m.iso;
  const auto edges = static_cast<std::uint64_t>(made.nnz);
  const buffer_pointer keys = allocate(edges * sizeof(std::uint32_t));
  made.column_indices = allocate(edges * sizeof(std::uint32_t));
  made.values = m.iso ? m.values : allocate(edges * c.bytes);
  const void *before = read_device(sums.before), *columns = read_device(m.column_indices),
             *from = read_device(m.values);
  void *to_keys = write_device(keys), *to_columns = write_device(made.column_indices),
       *to = m.iso ? runtime_->nothing() : write_device(made.values);
  const kernel_argument of_edges[] = {c.rows, edges, before, c.offsets, c.wide, columns, to_keys};
  launch_over(edges, operation, *program, "t_expand", of_edges);
  const sorted_keys sorted = sort(operation, edges, keys, made.rows);
  const void* order = read_device(sorted.order);
  const kernel_argument list[] = {c.rows, edges,      before, c.offsets, c.wide,
                                  order,  to_columns, from,   to,        c.bytes};
  launch_over(edges, operation, *program, "t_gather_expanded", list);
  lay_out_sorted(operation, made, sorted);
  return made;
}

}  // namespace tropic::detail
