// SPDX-License-Identifier: Apache-2.0

// What the rows of a product of sparse matrices hold (mxm_rows.kernel), and the chunks that they
// are computed in: the memory of the steps of a chunk is bounded, and a product can be cancelled
// between two of them.

#include <algorithm>
#include <bit>

#include "backends/device/matrix_arguments.hpp"
#include "backends/device/mxm/mxm.hpp"
#include "backends/device/primitives.hpp"
#include "backends/device/products/call.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

// Blocks of rows whose sums the host reads, at most.
constexpr std::uint64_t most_blocks = 4096;

std::uint64_t block_of(const mxm_config& config, std::uint64_t rows) {
  return std::max(config.block_rows, divide_up(rows, most_blocks));
}

std::vector<row_totals> sums_of_blocks(device_context& device, const mxm_config& config,
                                       std::uint64_t rows, const buffer_pointer& counts) {
  const std::uint64_t block = block_of(config, rows), blocks = divide_up(rows, block);
  const buffer_pointer sums = device.allocate(blocks * 4 * sizeof(std::uint32_t));
  const void* from = device.read(counts);
  void* to = device.write(sums);
  const kernel_argument list[] = {rows, block, from, to};
  device.runtime().launch(mxm_operation, *device.runtime().program(config.rows_request()),
                          "t_mxm_sum_blocks", list, blocks, config.table_group);
  const auto* words = static_cast<const std::uint32_t*>(sums->host());
  std::vector<row_totals> result(blocks);
  for (std::uint64_t n = 0; n < blocks; ++n)
    result[n] = {words[4 * n] | std::uint64_t{words[4 * n + 1]} << 32, words[4 * n + 2],
                 words[4 * n + 3]};
  return result;
}

}  // namespace

std::vector<row_chunk> chunks_of_product(device_context& device, const mxm_config& config,
                                         const matrix_base& a, const row_offsets& b,
                                         const matrix_base* mask, const buffer_pointer& products) {
  const auto rows = static_cast<std::uint64_t>(a.rows);
  const buffer_pointer of_rows =
      products != nullptr ? products : device.allocate(rows * sizeof(std::uint32_t));
  // So many as a row of A has entries on average.
  const auto mean = static_cast<std::uint64_t>(a.nnz / std::max<index_t>(a.rows - a.empty_rows, 1));
  const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      std::clamp<std::uint64_t>(std::bit_ceil(mean), 4, 32), config.table_group));
  const matrix_arguments of_a(device, a);
  const offset_arguments of_b(device, b.words, b.wide);
  const void* a_columns = device.read(a.column_indices);
  void* to = device.write(of_rows);
  const std::uint32_t has_mask = as_flag(mask != nullptr);
  const offset_arguments of_p(device, has_mask ? mask->offsets : nullptr, has_mask && mask->wide);
  const kernel_argument list[] = {rows,         lanes,        has_mask,  of_p.offsets,
                                  of_p.wide,    of_a.offsets, of_a.wide, a_columns,
                                  of_b.offsets, of_b.wide,    to};
  device.runtime().launch(mxm_operation, *device.runtime().program(config.rows_request()),
                          "t_mxm_products", list, divide_up(rows, config.table_group / lanes),
                          config.table_group);
  const std::uint64_t block = block_of(config, rows);
  std::vector<row_chunk> chunks;
  std::uint64_t first = 0;
  for (const row_totals& of_block : sums_of_blocks(device, config, rows, of_rows)) {
    const std::uint64_t count = std::min(block, rows - first);
    if (chunks.empty() || chunks.back().products + of_block.sum > config.chunk_products ||
        chunks.back().rows + count > std::max(config.chunk_rows, block))
      chunks.push_back({first, 0, 0});
    chunks.back().rows += count;
    chunks.back().products += of_block.sum;
    first += count;
  }
  return chunks;
}

row_totals totals_of(device_context& device, const mxm_config& config, std::uint64_t rows,
                     const buffer_pointer& counts) {
  row_totals all;
  for (const row_totals& of_block : sums_of_blocks(device, config, rows, counts)) {
    all.sum += of_block.sum;
    all.largest = std::max(all.largest, of_block.largest);
    all.zeros += of_block.zeros;
  }
  return all;
}

double inner_steps(device_context& device, const mxm_config& config, const matrix_base& p,
                   const matrix_base& a, const row_offsets& b) {
  const matrix_arguments of_p(device, p), of_a(device, a);
  const offset_arguments of_b(device, b.words, b.wide);
  const std::uint64_t groups = device.groups_over(of_p.nnz, config.table_group);
  const buffer_pointer sums = device.allocate(groups * sizeof(std::uint64_t)),
                       total = device.allocate(sizeof(std::uint64_t));
  const void* columns = device.read(p.column_indices);
  void* to = device.write(sums);
  const kernel_argument list[] = {of_p.rows,    of_p.nnz,  of_p.offsets, of_p.wide, columns,
                                  of_a.offsets, of_a.wide, of_b.offsets, of_b.wide, to};
  device.runtime().launch(mxm_operation, *device.runtime().program(config.rows_request()),
                          "t_mxm_weigh_entries", list, groups, config.table_group);
  scan(device, groups, sums, total);
  return static_cast<double>(*static_cast<const std::uint64_t*>(total->host()));
}

row_offsets column_offsets(device_context& device, const mxm_config& config, const matrix_base& m) {
  const auto entries = static_cast<std::uint64_t>(m.nnz),
             columns = static_cast<std::uint64_t>(m.columns);
  const buffer_pointer counts = device.allocate(columns * sizeof(std::uint32_t));
  const void* from = device.read(m.column_indices);
  void* to = device.write(counts);
  device.runtime().fill(to, 0, counts->bytes());
  const kernel_argument list[] = {entries, from, to};
  device.launch_over(entries, mxm_operation, *device.runtime().program(config.rows_request()),
                     "t_mxm_count_columns", list);
  return {sums_before(device, columns, counts, sizeof(std::uint32_t)).before};
}

void mxm_checkpoint(const device_context& device, std::size_t chunks, mxm_pass pass,
                    std::size_t chunk) {
  if (chunks < 2) return;
  device.runtime().finish();  // else the host would be far ahead of the work
  const std::size_t step = static_cast<std::size_t>(pass) * chunks + chunk,
                    steps = static_cast<std::size_t>(mxm_pass::count) * chunks;
  context(device.context())
      .checkpoint(mxm_operation, static_cast<double>(step) / static_cast<double>(steps));
}

}  // namespace tropic::detail
