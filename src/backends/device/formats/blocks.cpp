// SPDX-License-Identifier: Apache-2.0

// Dense blocks, found, taken out and put back by the device (blocks.kernel): the arrays of
// src/containers/blocks.hpp, to the bit.

#include <limits>
#include <string>

#include <tropic/error.hpp>

#include "backends/device/conversion.hpp"

namespace tropic::detail {

std::string device_backend::name_of(const block_shape& shape) {
  return "blocks:" + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
         (shape.fill == 0 ? "" : ":" + std::to_string(shape.fill));
}

// The bits of entries that blocks.kernel finds blocks by.
struct device_backend::found_blocks {
  std::uint64_t words;  // of entries, twice
  buffer_pointer bits, before;
};

// Writes how many blocks there are and how many entries they have to `counts`, 64 bits each.
device_backend::found_blocks device_backend::find_blocks(const matrix_base& m,
                                                         const block_shape& shape,
                                                         const compiled_program& program,
                                                         const buffer_pointer& counts) {
  const conversion c(*this, m);
  const std::uint64_t words = c.nnz / 32 + 1, all = 2 * words, least = shape.least_entries(c.bytes);
  found_blocks made{words, allocate(all * sizeof(std::uint32_t)),
                    allocate((all + 1) * sizeof(std::uint64_t))};
  void* bits = write_device(made.bits);
  runtime_->fill(bits, 0, made.bits->bytes());
  const void* columns = read_device(m.column_indices);
  const kernel_argument list[] = {c.rows,     c.nnz,         c.offsets, c.wide, columns,
                                  shape.rows, shape.columns, least,     words,  bits};
  launch_over(c.nnz, "search for blocks", program, "t_find_blocks", list);

  const std::uint64_t run = (all + most_runs - 1) / most_runs, runs = (all + run - 1) / run;
  const buffer_pointer sums = allocate(runs * sizeof(std::uint64_t)),
                       sum = allocate(sizeof(std::uint64_t));
  void *bases = write_device(sums), *before = write_device(made.before), *to = write_device(counts);
  const kernel_argument of_runs[] = {all, run, bits, bases};
  launch_over(runs, "search for blocks", program, "t_sum_runs", of_runs);
  scan(runs, sums, sum);
  const kernel_argument of_words[] = {all, run, bits, bases, before};
  launch_over(runs, "search for blocks", program, "t_scan_runs", of_words);
  const kernel_argument of_counts[] = {words, before, to};
  launch_over(1, "search for blocks", program, "t_count_blocks", of_counts);
  return made;
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
          const buffer_pointer counts = allocate(2 * sizeof(std::uint64_t));
          find_blocks(m, shape, *program, counts);
          const auto* found = static_cast<const std::uint64_t*>(counts->host());
          const std::int64_t saved = static_cast<std::int64_t>(found[1] * (4 + bytes)) -
                                     static_cast<std::int64_t>(found[0] * shape.bytes(bytes));
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
    constexpr const char* operation = "conversion to csr_blocked";
    const conversion c(*this, m);
    const buffer_pointer counts = allocate(2 * sizeof(std::uint64_t)),
                         starts = allocate((shape.bands(m.rows) + 1) * 4),
                         left_offsets = allocate((c.rows + 1) * (m.wide ? 8 : 4));
    const found_blocks found = find_blocks(m, shape, *program, counts);
    const void *bits = read_device(found.bits), *before = read_device(found.before);
    void *first = write_device(starts), *left_first = write_device(left_offsets);
    const kernel_argument of_rows[] = {c.rows, c.offsets, c.wide, shape.rows, found.words,
                                       bits,   before,    first,  left_first};
    launch_over(c.rows + 1, operation, *program, "t_block_starts", of_rows);

    const auto* counted = static_cast<const std::uint64_t*>(counts->host());
    const std::uint64_t blocks = counted[0], left = c.nnz - counted[1];
    if (blocks > std::numeric_limits<std::uint32_t>::max())
      throw usage_error("csr_blocked: " + std::to_string(blocks) +
                        " blocks, expected fewer than 2^32");
    made.parts = {starts,
                  allocate(blocks * 4),
                  allocate(blocks * shape.rows * 4),
                  allocate(blocks * shape.size() * c.bytes),
                  left_offsets,
                  allocate(left * 4),
                  allocate(left * c.bytes)};
    made.words = blocks * shape.size() + left;
    if (m.nnz > 0) made.overhead = static_cast<double>(made.words) / static_cast<double>(m.nnz);
    const buffer_pointer bands_of_blocks = allocate(blocks * 4);
    const void *columns = read_device(m.column_indices),
               *values = read_device(m.iso ? nullptr : m.values);
    void *first_columns = write_device(made.parts[1]), *masks = write_device(made.parts[2]),
         *inside = write_device(made.parts[3]), *left_columns = write_device(made.parts[5]),
         *left_values = write_device(made.parts[6]), *bands = write_device(bands_of_blocks);
    const kernel_argument of_entries[] = {
        c.rows, c.nnz,  c.offsets,     c.wide, columns,      shape.rows, shape.columns, found.words,
        bits,   before, first_columns, bands,  left_columns, values,     left_values,   c.bytes};
    launch_over(c.nnz, operation, *program, "t_take_blocks", of_entries);
    const kernel_argument of_lines[] = {
        c.rows,        c.offsets, c.wide, columns, shape.rows, shape.columns, blocks,
        first_columns, bands,     masks,  values,  inside,     c.bytes};
    launch_over(blocks * shape.rows, operation, *program, "t_fill_blocks", of_lines);
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
