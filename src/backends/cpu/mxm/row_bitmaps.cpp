// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/mxm/row_bitmaps.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <tropic/error.hpp>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t words_per_entry = 2;  // of a bitmap, at most

}  // namespace

row_bitmaps::row_bitmaps(context_state& context, const csr_arrays& of, std::size_t rows,
                         int threads) {
  const row_blocks blocks(rows, [&](std::size_t row) { return row + of.offset(row); });
  // visit(row, first word, words) for the rows of a block that have a bitmap.
  const auto for_each = [&](std::size_t block, auto&& visit) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::size_t begin = of.offset(row), end = of.offset(row + 1), length = end - begin;
      if (length * words_per_entry < group) continue;
      const std::size_t first = of.columns[begin] / (64 * group) * group;
      const std::size_t count = words_of(std::size_t{of.columns[end - 1]} + 1) - first;
      if (count <= length * words_per_entry) visit(row, first, count);
    }
  };
  struct totals {
    std::size_t bitmaps = 0, words = 0;
  };
  std::vector<totals> before(blocks.count() + 1);  // in the blocks before each
  for_blocks(threads, blocks.count(), [&](std::size_t block) {
    totals found;
    for_each(block, [&](std::size_t, std::size_t, std::size_t count) {
      ++found.bitmaps;
      found.words += count;
    });
    before[block + 1] = found;
  });
  for (std::size_t block = 0; block < blocks.count(); ++block) {
    before[block + 1].bitmaps += before[block].bitmaps;
    before[block + 1].words += before[block].words;
  }
  const totals all = before.back();
  if (all.bitmaps == 0) return;
  try {
    counted_memory numbers(context, rows * sizeof(std::uint32_t));
    counted_memory bitmaps(context, all.bitmaps * sizeof(bitmap));
    words_ = counted_memory(context, all.words * sizeof(std::uint64_t));
    number_ = std::move(numbers);
    bitmaps_ = std::move(bitmaps);
  } catch (const out_of_memory&) {
    return;
  }
  for_blocks(threads, blocks.count(), [&](std::size_t block) {
    auto* const numbers = number_.as<std::uint32_t>();
    std::fill(numbers + blocks.begin(block), numbers + blocks.begin(block + 1), std::uint32_t{0});
    totals at = before[block];
    for_each(block, [&](std::size_t row, std::size_t first, std::size_t count) {
      bitmaps_.as<bitmap>()[at.bitmaps] = {static_cast<std::uint32_t>(first),
                                           static_cast<std::uint32_t>(count), at.words};
      numbers[row] = static_cast<std::uint32_t>(++at.bitmaps);
      std::uint64_t* const bits = words_.as<std::uint64_t>() + at.words;
      std::fill_n(bits, count, std::uint64_t{0});
      for (std::size_t e = of.offset(row), end = of.offset(row + 1); e < end; ++e) {
        const std::size_t column = of.columns[e] - 64 * first;
        bits[column / 64] |= std::uint64_t{1} << column % 64;
      }
      at.words += count;
    });
  });
}

}  // namespace tropic::detail::on_cpu
