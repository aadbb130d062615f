// SPDX-License-Identifier: Apache-2.0

// Dense blocks, found, taken out and put back by the device (blocks.kernel): the arrays of
// src/containers/formats/blocks.hpp, to the bit.

#include <limits>
#include <string>

#include <tropic/error.hpp>

#include "backends/device/formats/format_cache.hpp"
#include "backends/device/matrix_arguments.hpp"
#include "backends/device/primitives.hpp"

namespace tropic::detail {

std::string format_cache::name_of(const block_shape& shape) {
  return "blocks:" + std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
         (shape.fill == 0 ? "" : ":" + std::to_string(shape.fill));
}

// The bits of entries that blocks.kernel finds blocks by.
struct format_cache::found_blocks {
  std::uint64_t words;  // of entries, twice
  buffer_pointer bits, before;
};

// Writes how many blocks there are and how many entries they have to `counts`, 64 bits each.
format_cache::found_blocks format_cache::find_blocks(const matrix_base& m, const block_shape& shape,
                                                     const compiled_program& program,
                                                     const buffer_pointer& counts) {
  const matrix_arguments c(device_, m);
  const std::uint64_t words = c.nnz / 32 + 1, all = 2 * words, least = shape.least_entries(c.bytes);
  found_blocks result{words, device_.allocate(all * sizeof(std::uint32_t)),
                      device_.allocate((all + 1) * sizeof(std::uint64_t))};
  void* bits = device_.write(result.bits);
  device_.runtime().fill(bits, 0, result.bits->bytes());
  const void* columns = device_.read(m.column_indices);
  const kernel_argument list[] = {c.rows,     c.nnz,         c.offsets, c.wide, columns,
                                  shape.rows, shape.columns, least,     words,  bits};
  device_.launch_over(c.nnz, "search for blocks", program, "t_find_blocks", list);

  const std::uint64_t run = (all + most_runs - 1) / most_runs, runs = (all + run - 1) / run;
  const buffer_pointer sums = device_.allocate(runs * sizeof(std::uint64_t)),
                       sum = device_.allocate(sizeof(std::uint64_t));
  void *bases = device_.write(sums), *before = device_.write(result.before),
       *to = device_.write(counts);
  const kernel_argument of_runs[] = {all, run, bits, bases};
  device_.launch_over(runs, "search for blocks", program, "t_sum_runs", of_runs);
  scan(device_, runs, sums, sum);
  const kernel_argument of_words[] = {all, run, bits, bases, before};
  device_.launch_over(runs, "search for blocks", program, "t_scan_runs", of_words);
  const kernel_argument of_counts[] = {words, before, to};
  device_.launch_over(1, "search for blocks", program, "t_count_blocks", of_counts);
  return result;
}

block_shape format_cache::best_blocks(const matrix_base& m) {
  const auto known = find_or_make(
      m, "best_blocks", {.kernel = "blocks"}, [&](converted_copy& result, auto* program) {
        result.parts.push_back(device_.allocate(2 * sizeof(std::uint32_t)));
        block_shape best;
        std::int64_t most_saved = 0;
        const std::uint64_t bytes = m.iso ? 0 : m.type->size;
        for (const block_shape& shape : block_shapes) {
          if (m.nnz == 0) break;
          const buffer_pointer counts = device_.allocate(2 * sizeof(std::uint64_t));
          find_blocks(m, shape, *program, counts);
          const auto* found = static_cast<const std::uint64_t*>(counts->host());
          const std::int64_t saved = static_cast<std::int64_t>(found[1] * (4 + bytes)) -
                                     static_cast<std::int64_t>(found[0] * shape.bytes(bytes));
          if (saved <= most_saved) continue;
          most_saved = saved;
          best = shape;
        }
        auto* found = static_cast<std::uint32_t*>(result.parts.front()->host_write());
        found[0] = best.rows;
        found[1] = best.columns;
      });
  const auto* found = static_cast<const std::uint32_t*>(known->parts.front()->host());
  return {found[0], found[1]};
}

format_cache::format format_cache::blocks(const matrix_base& m, const block_shape& shape) {
  return find_or_make(
      m, name_of(shape), {.kernel = "blocks"}, [&](converted_copy& result, auto* program) {
        constexpr const char* operation = "conversion to csr_blocked";
        const matrix_arguments c(device_, m);
        const buffer_pointer counts = device_.allocate(2 * sizeof(std::uint64_t)),
                             starts = device_.allocate((shape.bands(m.rows) + 1) * 4),
                             left_offsets = device_.allocate((c.rows + 1) * (m.wide ? 8 : 4));
        const found_blocks found = find_blocks(m, shape, *program, counts);
        const void *bits = device_.read(found.bits), *before = device_.read(found.before);
        void *first = device_.write(starts), *left_first = device_.write(left_offsets);
        const kernel_argument of_rows[] = {c.rows, c.offsets, c.wide, shape.rows, found.words,
                                           bits,   before,    first,  left_first};
        device_.launch_over(c.rows + 1, operation, *program, "t_block_starts", of_rows);

        const auto* counted = static_cast<const std::uint64_t*>(counts->host());
        const std::uint64_t blocks = counted[0], left = c.nnz - counted[1];
        if (blocks > std::numeric_limits<std::uint32_t>::max())
          throw usage_error("csr_blocked: " + std::to_string(blocks) +
                            " blocks, 32 bits count them");
        // In the order of in_blocks.
        result.parts = {starts,
                        device_.allocate(blocks * 4),
                        device_.allocate(blocks * shape.rows * 4),
                        device_.allocate(blocks * shape.size() * c.bytes),
                        left_offsets,
                        device_.allocate(left * 4),
                        device_.allocate(left * c.bytes)};
        result.words = blocks * shape.size() + left;
        if (m.nnz > 0)
          result.overhead = static_cast<double>(result.words) / static_cast<double>(m.nnz);
        const buffer_pointer bands_of_blocks = device_.allocate(blocks * 4);
        const void *columns = device_.read(m.column_indices),
                   *values = device_.read(m.iso ? nullptr : m.values);
        void *first_columns = device_.write(result.parts[in_blocks::first_columns]),
             *masks = device_.write(result.parts[in_blocks::masks]),
             *inside = device_.write(result.parts[in_blocks::values]),
             *left_columns = device_.write(result.parts[in_blocks::left_columns]),
             *left_values = device_.write(result.parts[in_blocks::left_values]),
             *bands = device_.write(bands_of_blocks);
        const kernel_argument of_entries[] = {c.rows,       c.nnz,      c.offsets,     c.wide,
                                              columns,      shape.rows, shape.columns, found.words,
                                              bits,         before,     first_columns, bands,
                                              left_columns, values,     left_values,   c.bytes};
        device_.launch_over(c.nnz, operation, *program, "t_take_blocks", of_entries);
        const kernel_argument of_lines[] = {
            c.rows,        c.offsets, c.wide, columns, shape.rows, shape.columns, blocks,
            first_columns, bands,     masks,  values,  inside,     c.bytes};
        device_.launch_over(blocks * shape.rows, operation, *program, "t_fill_blocks", of_lines);
      });
}

matrix_base format_cache::from_blocks(const converted_copy& copy, const matrix_base& like,
                                      const block_shape& shape) {
  matrix_base result = without_entries(like);
  const matrix_arguments c(device_, result);
  void *columns = device_.write(result.column_indices),
       *values = device_.write(like.iso ? nullptr : result.values);
  const void* parts[in_blocks::count];
  for (std::size_t n = 0; n < in_blocks::count; ++n) parts[n] = device_.read(copy.parts[n]);
  const kernel_argument list[] = {c.rows,
                                  c.offsets,
                                  c.wide,
                                  shape.rows,
                                  shape.columns,
                                  columns,
                                  values,
                                  c.bytes,
                                  parts[in_blocks::starts],
                                  parts[in_blocks::first_columns],
                                  parts[in_blocks::masks],
                                  parts[in_blocks::values],
                                  parts[in_blocks::left_offsets],
                                  parts[in_blocks::left_columns],
                                  parts[in_blocks::left_values]};
  device_.launch_over(c.rows, "conversion to CSR", *device_.runtime().program({.kernel = "blocks"}),
                      "t_from_blocks", list);
  return result;
}

}  // namespace tropic::detail
