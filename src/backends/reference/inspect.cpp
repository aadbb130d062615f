// SPDX-License-Identifier: Apache-2.0

// What pattern_counts.hpp defines, an entry after the other.

#include <set>

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

pattern_counts reference_backend::inspect(const matrix_base& a, std::uint64_t wanted) {
  using s = pattern_counts;
  struct entry {
    std::uint64_t row, column;
  };
  std::vector<entry> all;
  s made;
  for (index_t i = 0; i < a.rows; ++i)
    made.rows.add(static_cast<std::uint64_t>(offset_at(a, i + 1) - offset_at(a, i)));
  for (std::size_t n = 0; n < made.fullest_strips.size(); ++n)
    for (index_t i = 0, height = index_t{2} << n; i < a.rows; i += height)
      made.fullest_strips[n] = std::max(
          made.fullest_strips[n],
          static_cast<std::uint64_t>(offset_at(a, std::min(i + height, a.rows)) - offset_at(a, i)));
  for (std::size_t n = 0; n < made.longest_sums.size(); ++n)
    for (index_t i = 0, height = index_t{2} << n; i < a.rows; i += height) {
      index_t longest = 0;
      for (index_t row = i; row < std::min(i + height, a.rows); ++row)
        longest = std::max(longest, offset_at(a, row + 1) - offset_at(a, row));
      made.longest_sums[n] += static_cast<std::uint64_t>(longest);
    }
  reference::for_each_entry(a, [&](index_t i, index_t j, const void*) {
    all.push_back({static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)});
  });
  if (all.empty()) return made;
  const auto rows = static_cast<std::uint64_t>(a.rows),
             columns = static_cast<std::uint64_t>(a.columns);
  std::vector<std::uint64_t> of_column(s::counters_of(columns));
  // Different bits among those of `segments`.
  const auto marks = [](const std::multiset<std::uint64_t>& found, std::uint32_t bits) {
    std::set<std::uint32_t> set;
    for (const std::uint64_t segment : found) set.insert(s::hash(segment) % bits);
    return set.size();
  };
  const s::sample sample(all.size(), wanted);
  for (std::uint64_t n = 0; n < sample.taken; ++n) {
    const std::uint64_t begin = sample.begin(n), end = sample.end(n);
    ++made.pieces;
    std::multiset<std::uint64_t> of_piece, of_window;
    bool is_dirty = false;
    for (std::uint64_t e = begin; e < end; ++e) {
      const auto [row, column] = all[e];
      const std::uint64_t at = e - begin, segment = column / s::segment;
      ++made.entries;
      ++of_column[s::counter_of(column, columns)];
      of_piece.insert(segment);
      of_window.insert(segment);
      if (at % s::window == s::window - 1 || e + 1 == end) {
        ++made.windows;
        made.window_marks += marks(of_window, s::window_bits);
        of_window.clear();
      }
      if (at % s::tile != 0 && row > all[e - 1].row + 1) is_dirty = true;
      if (at % s::tile == s::tile - 1 || e + 1 == end) {
        ++made.tiles;
        made.dirty_tiles += is_dirty;
        is_dirty = false;
      }
      if (column % s::segment == s::segment - 1 && at + 1 >= s::segment) {
        const entry& first = all[e + 1 - s::segment];
        if (first.row == row && first.column + s::segment - 1 == column) made.dense += s::segment;
      }
      const std::uint64_t distance = row > column ? row - column : column - row;
      made.distance += distance;
      made.widest = std::max(made.widest, distance);
      ++made.blocks[s::block_of(row, rows) * 8 + s::block_of(column, columns)];
    }
    made.piece_marks += marks(of_piece, s::piece_bits);
  }
  for (std::uint64_t n = 0; n < of_column.size(); n += s::segment) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = n; k < n + s::segment; ++k) {
      sum += of_column[k];
      if (k < columns) made.columns.add(of_column[k]);
    }
    made.segments.add(sum);
  }
  return made;
}

}  // namespace tropic::detail
