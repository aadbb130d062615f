// SPDX-License-Identifier: Apache-2.0

// Dense blocks, found, taken out and put back by the device (blocks.kernel): the arrays of
// src/containers/blocks.hpp, to the bit.

#include <limits>
#include <string>

#include <tropic/error.hpp>

#include "backends/kernels/device_conversion.hpp"

namespace tropic::detail {

std::string device_backend::name_of(const block_shape& shape) {
  return "blocks:" + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
         (shape.fill == 0 ? "" : ":" + std::to_string(shape.fill));
}

// Counts that a matrix's blocks are made by.
struct device_backend::block_counts {
  std::uint64_t bands;
  buffer_pointer blocks, inside;  // of each band: blocks, their entries
  buffer_pointer left;            // of each row: entries outside of blocks
};

device_backend::block_counts device_backend::count_blocks(const matrix_base& m,
                                                          const block_shape& shape,
                                                          const compiled_program& program) {
  const conversion c(*this, m);
  const std::uint64_t bands = shape.bands(m.rows), least = shape.least_entries(c.bytes);
  block_counts made{bands, allocate(bands * 4), allocate(bands * 4), allocate(c.rows * 4)};
  const void* columns = read_device(m.column_indices);
  void *blocks = write_device(made.blocks), *inside = write_device(made.inside),
       *left = write_device(made.left);
  const kernel_argument list[] = {c.rows, c.offsets, c.wide, shape.rows, shape.columns,
                                  least,  columns,   blocks, inside,     left};
  launch_over(bands, "search for blocks", program, "t_count_blocks", list);
  return made;
}

// The sum of counts; where `before` is given, also the sums before each of them.
std::uint64_t device_backend::scan(std::uint64_t n, const buffer_pointer& counts,
                                   const compiled_program& program, const buffer_pointer& before,
                                   bool is_wide) {
  if (n == 0) {
    if (before) runtime_->fill(write_device(before), 0, before->bytes());
    return 0;
  }
  const std::uint64_t run = (n + most_runs - 1) / most_runs, runs = (n + run - 1) / run;
  const buffer_pointer sums = allocate(runs * sizeof(std::uint64_t));
  const void* from = read_device(counts);
  void* to = write_device(sums);
  const kernel_argument of_runs[] = {n, run, from, to};
  launch_over(runs, "scan", program, "t_sum_runs", of_runs);
  auto* bases = static_cast<std::uint64_t*>(sums->host_write(access::modify));
  const std::uint64_t sum = exclusive_scan(bases, runs);
  if (before == nullptr) return sum;
  const void* known = read_device(sums);
  to = write_device(before);
  const std::uint32_t wide = is_wide;
  const kernel_argument list[] = {n, run, from, known, wide, to};
  launch_over(runs, "scan", program, "t_scan_runs", list);
  return sum;
}

block_shape device_backend::best_blocks(const matrix_base& m) {
  const auto known =
      format(m, "best_blocks", {.kernel = "blocks"}, [&](converted_copy& made, auto* program) {
        made.parts.push_back(allocate(2 * sizeof(std::uint32_t)));
        block_shape best;
        std::int64_t most = 0;
        const std::uint64_t bytes = m.iso ? 0 : m.type->size;
        for (const block_shape& shape : block_shapes) {
          if (m.nnz == 0) break;
          const block_counts counts = count_blocks(m, shape, *program);
          const std::uint64_t blocks = scan(counts.bands, counts.blocks, *program),
                              inside = scan(counts.bands, counts.inside, *program);
          const std::int64_t saved = static_cast<std::int64_t>(inside * (4 + bytes)) -
                                     static_cast<std::int64_t>(blocks * shape.bytes(bytes));
          if (saved <= most) continue;
          most = saved;
          best = shape;
        }
        auto* found = static_cast<std::uint32_t*>(made.parts[0]->host_write());
        found[0] = best.rows;
        found[1] = best.columns;
      });
  const auto* found = static_cast<const std::uint32_t*>(known->parts[0]->host());
  return {found[0], found[1]};
}

std::shared_ptr<const converted_copy> device_backend::blocks(const matrix_base& m,
                                                             const block_shape& shape) {
  return format(m, name_of(shape), {.kernel = "blocks"}, [&](converted_copy& made, auto* program) {
    const conversion c(*this, m);
    const block_counts counts = count_blocks(m, shape, *program);
    const buffer_pointer starts = allocate((counts.bands + 1) * 4),
                         left_offsets = allocate((c.rows + 1) * (m.wide ? 8 : 4));
    const std::uint64_t found = scan(counts.bands, counts.blocks, *program, starts, false);
    const std::uint64_t left = scan(c.rows, counts.left, *program, left_offsets, m.wide);
    if (found > std::numeric_limits<std::uint32_t>::max())
      throw usage_error("csr_blocked: " + std::to_string(found) + " blocks, 32 bits count them");
    made.parts = {starts,
                  allocate(found * 4),
                  allocate(found * shape.rows * 4),
                  allocate(found * shape.size() * c.bytes),
                  left_offsets,
                  allocate(left * 4),
                  allocate(left * c.bytes)};
    made.words = found * shape.size() + left;
    if (m.nnz > 0) made.overhead = static_cast<double>(made.words) / static_cast<double>(m.nnz);
    for (const std::size_t part : {std::size_t{2}, std::size_t{3}})
      if (made.parts[part]->bytes() > 0)
        runtime_->fill(write_device(made.parts[part]), 0, made.parts[part]->bytes());
    const std::uint64_t least = shape.least_entries(c.bytes);
    const void *columns = read_device(m.column_indices),
               *values = read_device(m.iso ? nullptr : m.values), *first = read_device(starts),
               *left_first = read_device(left_offsets);
    void *first_columns = write_device(made.parts[1]),
         *masks = write_device(made.parts[2], access::modify),
         *inside = write_device(made.parts[3], access::modify),
         *left_columns = write_device(made.parts[5]), *left_values = write_device(made.parts[6]);
    const kernel_argument list[] = {c.rows,        c.offsets,  c.wide,        shape.rows,
                                    shape.columns, least,      columns,       values,
                                    c.bytes,       first,      first_columns, masks,
                                    inside,        left_first, left_columns,  left_values};
    launch_over(counts.bands, "conversion to csr_blocked", *program, "t_to_blocks", list);
  });
}

matrix_base device_backend::from_blocks(const converted_copy& copy, const matrix_base& like,
                                        const block_shape& shape) {
  matrix_base made = without_entries(like);
  const conversion c(*this, made);
  void *columns = write_device(made.column_indices),
       *values = write_device(like.iso ? nullptr : made.values);
  const void* parts[7];
  for (std::size_t n = 0; n < 7; ++n) parts[n] = read_device(copy.parts[n]);
  const kernel_argument list[] = {c.rows,   c.offsets, c.wide,   shape.rows, shape.columns,
                                  columns,  values,    c.bytes,  parts[0],   parts[1],
                                  parts[2], parts[3],  parts[4], parts[5],   parts[6]};
  launch_over(c.rows, "conversion to CSR", *runtime_->program({.kernel = "blocks"}),
              "t_from_blocks", list);
  return made;
}

}  // namespace tropic::detail
