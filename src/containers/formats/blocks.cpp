// SPDX-License-Identifier: Apache-2.0
#include "containers/formats/blocks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <tropic/error.hpp>

#include "containers/context_state.hpp"
#include "containers/csr_view.hpp"

namespace tropic::detail {
namespace {

constexpr std::uint32_t most_rows = 16;

// Visits the entries of a band of rows block by block: visit(number of the block in the columns of
// the band, its number of entries, begin and end of the entries of each row).
template <class Visit>
void visit_band(const csr_view& csr, const block_shape& shape, std::uint64_t band, Visit visit) {
  const std::uint64_t first = band * shape.rows;
  const auto rows =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(shape.rows, csr.rows() - first));
  std::uint64_t begin[most_rows], end[most_rows], last[most_rows];
  for (std::uint32_t r = 0; r < rows; ++r) {
    begin[r] = csr.offset(first + r);
    last[r] = csr.offset(first + r + 1);
  }
  while (true) {
    std::uint32_t block = ~std::uint32_t{0};
    for (std::uint32_t r = 0; r < rows; ++r)
      if (begin[r] < last[r]) block = std::min(block, csr.columns[begin[r]] / shape.columns);
    if (block == ~std::uint32_t{0}) return;
    std::uint64_t entries = 0;
    for (std::uint32_t r = 0; r < rows; ++r) {
      end[r] = begin[r];
      while (end[r] < last[r] && csr.columns[end[r]] / shape.columns == block) ++end[r];
      entries += end[r] - begin[r];
    }
    visit(block, entries, rows, begin, end);
    std::copy(end, end + rows, begin);
  }
}

std::int64_t bytes_saved(const csr_view& csr, const block_shape& shape) {
  const matrix_base& m = csr.m;
  const std::size_t bytes = csr.bytes, bands = shape.bands(m.rows);
  const std::uint64_t least = shape.least_entries(bytes);
  std::int64_t saved = 0;
#pragma omp parallel for num_threads(m.context->threads()) schedule(dynamic, 64) \
    reduction(+ : saved) if (m.nnz > parallel_from)
  for (std::size_t band = 0; band < bands; ++band)
    visit_band(csr, shape, band, [&](auto, std::uint64_t entries, auto...) {
      if (entries >= least)
        saved += static_cast<std::int64_t>(entries * (4 + bytes)) -
                 static_cast<std::int64_t>(shape.bytes(bytes));
    });
  return saved;
}

void copy_values(std::byte* to, std::uint64_t to_at, const std::byte* from, std::uint64_t from_at,
                 std::uint64_t count, std::size_t bytes) {
  if (count > 0 && bytes > 0)
    std::memcpy(to + to_at * bytes, from + from_at * bytes, count * bytes);
}

std::byte* written(const buffer_pointer& b) {
  return b->bytes() == 0 ? nullptr : static_cast<std::byte*>(b->host_write());
}

}  // namespace

std::uint64_t block_shape::least_entries(std::size_t value_size) const {
  if (fill > 0) return std::max<std::uint64_t>((size() * fill + 99) / 100, 1);
  return std::max(size() / 2, bytes(value_size) / (4 + value_size) + 1);
}

block_shape best_blocks(const matrix_base& m) {
  block_shape best;
  std::int64_t best_saved = 0;
  if (m.nnz == 0) return best;
  const csr_view csr(m);
  for (const block_shape& shape : block_shapes)
    if (const std::int64_t saved = bytes_saved(csr, shape); saved > best_saved) {
      best_saved = saved;
      best = shape;
    }
  return best;
}

converted_copy to_blocks(const matrix_base& m, const block_shape& shape) {
  const csr_view csr(m);
  const std::size_t bytes = csr.bytes, bands = shape.bands(m.rows);
  const auto rows = static_cast<std::size_t>(m.rows);
  const std::uint64_t least = shape.least_entries(bytes);
  std::vector<std::uint64_t> starts(bands + 1, 0), left(rows + 1, 0);
#pragma omp parallel for num_threads(m.context->threads()) \
    schedule(dynamic, 64) if (m.nnz > parallel_from)
  for (std::size_t band = 0; band < bands; ++band)
    visit_band(csr, shape, band,
               [&](auto, std::uint64_t entries, std::uint32_t count, const std::uint64_t* begin,
                   const std::uint64_t* end) {
                 starts[band + 1] += entries >= least;
                 if (entries >= least) return;
                 for (std::uint32_t r = 0; r < count; ++r)
                   left[band * shape.rows + r + 1] += end[r] - begin[r];
               });
  for (std::size_t band = 0; band < bands; ++band) starts[band + 1] += starts[band];
  for (std::size_t row = 0; row < rows; ++row) left[row + 1] += left[row];
  const std::uint64_t blocks = starts[bands];
  if (blocks > ~std::uint32_t{0})
    throw usage_error("csr_blocked: " + std::to_string(blocks) +
                      " blocks, expected fewer than 2^32");

  converted_copy result;
  const auto add = [&](std::uint64_t size) {
    result.parts.push_back(make_buffer(m.context, size));
  };
  add((bands + 1) * 4);  // in the order of in_blocks
  add(blocks * 4);
  add(blocks * shape.rows * 4);
  add(blocks * shape.size() * bytes);
  add((rows + 1) * (m.wide ? 8 : 4));
  add(left[rows] * 4);
  add(left[rows] * bytes);
  result.words = blocks * shape.size() + left[rows];
  if (m.nnz > 0) result.overhead = static_cast<double>(result.words) / static_cast<double>(m.nnz);
  const auto to32 = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  std::transform(starts.begin(), starts.end(),
                 reinterpret_cast<std::uint32_t*>(written(result.parts[in_blocks::starts])), to32);
  if (m.wide)
    std::copy(left.begin(), left.end(),
              reinterpret_cast<std::uint64_t*>(written(result.parts[in_blocks::left_offsets])));
  else
    std::transform(left.begin(), left.end(),
                   reinterpret_cast<std::uint32_t*>(written(result.parts[in_blocks::left_offsets])),
                   to32);
  auto* first_columns =
      reinterpret_cast<std::uint32_t*>(written(result.parts[in_blocks::first_columns]));
  auto* masks = reinterpret_cast<std::uint32_t*>(written(result.parts[in_blocks::masks]));
  std::byte* block_values = written(result.parts[in_blocks::values]);
  auto* left_columns =
      reinterpret_cast<std::uint32_t*>(written(result.parts[in_blocks::left_columns]));
  std::byte* left_values = written(result.parts[in_blocks::left_values]);
  if (block_values != nullptr)
    std::memset(block_values, 0, result.parts[in_blocks::values]->bytes());
  if (masks != nullptr) std::memset(masks, 0, result.parts[in_blocks::masks]->bytes());
#pragma omp parallel for num_threads(m.context->threads()) \
    schedule(dynamic, 64) if (m.nnz > parallel_from)
  for (std::size_t band = 0; band < bands; ++band) {
    std::uint64_t block = starts[band], next[most_rows] = {};
    for (std::uint32_t r = 0; r < shape.rows && band * shape.rows + r < rows; ++r)
      next[r] = left[band * shape.rows + r];
    visit_band(csr, shape, band,
               [&](std::uint32_t place, std::uint64_t entries, std::uint32_t count,
                   const std::uint64_t* begin, const std::uint64_t* end) {
                 for (std::uint32_t r = 0; r < count && entries < least; ++r) {
                   const std::uint64_t length = end[r] - begin[r];
                   std::copy_n(csr.columns + begin[r], length, left_columns + next[r]);
                   copy_values(left_values, next[r], csr.values, begin[r], length, bytes);
                   next[r] += length;
                 }
                 if (entries < least) return;
                 first_columns[block] = place * shape.columns;
                 for (std::uint32_t r = 0; r < count; ++r)
                   for (std::uint64_t e = begin[r]; e < end[r]; ++e) {
                     const std::uint32_t column = csr.columns[e] % shape.columns;
                     masks[block * shape.rows + r] |= 1u << column;
                     copy_values(block_values, (block * shape.rows + r) * shape.columns + column,
                                 csr.values, e, 1, bytes);
                   }
                 ++block;
               });
  }
  return result;
}

matrix_base from_blocks(const converted_copy& copy, const matrix_base& like,
                        const block_shape& shape) {
  const csr_view csr(like);
  const std::size_t bytes = csr.bytes;
  matrix_base result = like;
  const auto nnz = static_cast<std::size_t>(like.nnz);
  result.column_indices = make_buffer(like.context, nnz * sizeof(std::uint32_t));
  if (!like.iso) result.values = make_buffer(like.context, nnz * bytes);
  // Of which only the offsets are read.
  const csr_view left(like, copy.parts[in_blocks::left_offsets]);
  const auto* starts = static_cast<const std::uint32_t*>(copy.parts[in_blocks::starts]->host());
  const auto* first_columns =
      static_cast<const std::uint32_t*>(copy.parts[in_blocks::first_columns]->host());
  const auto* masks = static_cast<const std::uint32_t*>(copy.parts[in_blocks::masks]->host());
  const auto* block_values = static_cast<const std::byte*>(copy.parts[in_blocks::values]->host());
  const auto* left_columns =
      static_cast<const std::uint32_t*>(copy.parts[in_blocks::left_columns]->host());
  const auto* left_values =
      static_cast<const std::byte*>(copy.parts[in_blocks::left_values]->host());
  auto* columns = reinterpret_cast<std::uint32_t*>(written(result.column_indices));
  std::byte* values = bytes == 0 ? nullptr : written(result.values);
#pragma omp parallel for num_threads(like.context->threads()) if (like.nnz > parallel_from)
  for (std::uint64_t row = 0; row < csr.rows(); ++row) {
    std::uint64_t to = csr.offset(row), at = left.offset(row);
    const std::uint64_t end = left.offset(row + 1), band = row / shape.rows;
    const auto take_left = [&](std::uint64_t until) {
      for (; at < end && left_columns[at] < until; ++at, ++to) {
        columns[to] = left_columns[at];
        copy_values(values, to, left_values, at, 1, bytes);
      }
    };
    for (std::uint64_t block = starts[band]; block < starts[band + 1]; ++block) {
      take_left(first_columns[block]);
      const std::uint64_t line = block * shape.rows + row % shape.rows;
      for (std::uint32_t c = 0; c < shape.columns; ++c) {
        if (!(masks[line] >> c & 1)) continue;
        columns[to] = first_columns[block] + c;
        copy_values(values, to++, block_values, line * shape.columns + c, 1, bytes);
      }
    }
    take_left(std::uint64_t{1} << 32);
  }
  inspect_csr(result, {});  // what was in the wrong place would show here
  return result;
}

}  // namespace tropic::detail
