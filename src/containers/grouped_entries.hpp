// SPDX-License-Identifier: Apache-2.0
#pragma once

// Entries in any order, sorted by row and column; entries of one position keep their order.
//
// The entries are partitioned by the high bits of their rows into buckets that fit the second-level
// cache: slices of the list, whose number does not depend on the threads, count the entries of each
// bucket and then place them in order, so that the partition is stable. Each bucket is grouped by
// row by a counting sort, and rows that do not ascend are sorted: long ones by radix, short ones by
// comparison. Few entries, and those of which a sixteenth is in one bucket, are grouped by a single
// counting sort over all rows. Nothing is moved if the rows are in order already.
//
// Work O(nnz log(1024)); space, besides the result, 2 bytes per entry and a bucket per thread.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "containers/cancel_watch.hpp"

namespace tropic::detail {

constexpr std::size_t parallel_entries = 1 << 15;  // entries that justify a second thread

/// The entries in the order of the result, repeated ones still beside each other. Source: wide
/// enough to number the entries.
template <class Source>
struct grouped_entries {
  std::vector<std::uint64_t> offsets;  // of the rows
  std::size_t count = 0;
  std::unique_ptr<std::uint32_t[]> column;  // uninitialised at first: pages are touched in parallel
  std::unique_ptr<Source[]> source;         // the number of each entry in the given order
  std::optional<std::size_t> repeated;      // the first row with a repeated column

  std::size_t rows() const { return offsets.size() - 1; }
  /// Whether entry e has the column of the one before it in the row that begins at `begin`.
  bool is_repeated(std::size_t begin, std::size_t e) const {
    return e > begin && column[e] == column[e - 1];
  }
};

/// The rows with the same bits above `shift` share a bucket.
struct row_buckets {
  int shift = 0;
  std::size_t count = 1;

  /// A bucket has up to 2^16 rows, so that 16 bits number them.
  static constexpr int most_shift = 16;

  row_buckets(std::size_t rows, std::size_t entries) {
    constexpr std::size_t usual = std::size_t{1} << 15;  // entries in a bucket
    constexpr int most_bits = 11;
    const auto row_bits = static_cast<int>(std::bit_width(rows - 1));
    const int wanted = std::min(most_bits, static_cast<int>(std::bit_width(entries / usual)));
    shift = std::min(std::max(row_bits - wanted, 0), most_shift);
    count = ((rows - 1) >> shift) + 1;
  }
};

/// A bucket's entries while they are grouped, a row's while they are sorted.
template <class Source>
struct entry_scratch {
  std::vector<std::uint32_t> column;
  std::vector<Source> source;
  std::vector<std::pair<std::uint32_t, Source>> row, sorted;
};

/// Sorts s.row by column, stably: its entries are in the order of their sources.
template <class Source>
void sort_long_row(entry_scratch<Source>& s) {
  constexpr int width = 11;
  constexpr std::uint32_t mask = (1U << width) - 1;
  std::uint32_t bits = 0;
  for (const auto& entry : s.row) bits |= entry.first;
  s.sorted.resize(s.row.size());
  std::array<std::size_t, std::size_t{1} << width> next;
  for (int shift = 0; shift < 32 && bits >> shift != 0; shift += width) {
    next.fill(0);
    for (const auto& entry : s.row) ++next[entry.first >> shift & mask];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
    for (const auto& entry : s.row) s.sorted[next[entry.first >> shift & mask]++] = entry;
    s.row.swap(s.sorted);
  }
}

/// Sorts s.row by column; entries of a column keep the order of their sources.
template <class Source>
void sort_pairs(entry_scratch<Source>& s) {
  constexpr std::size_t longest_compared = 1024;
  if (s.row.size() > longest_compared)
    sort_long_row(s);
  else
    std::sort(s.row.begin(), s.row.end());  // by source within a column: stable
}

/// Sorts the row [begin, end) by column, stably. Returns whether it has a repeated column.
template <class Source>
bool sort_row(grouped_entries<Source>& entries, std::size_t begin, std::size_t end,
              entry_scratch<Source>& s) {
  auto* const column = entries.column.get();
  auto* const source = entries.source.get();
  bool ascending = true, repeated = false;
  for (std::size_t e = begin + 1; e < end; ++e) {
    ascending = ascending && column[e - 1] <= column[e];
    repeated = repeated || column[e - 1] == column[e];
  }
  if (ascending) return repeated;
  s.row.clear();
  for (std::size_t e = begin; e < end; ++e) s.row.emplace_back(column[e], source[e]);
  sort_pairs(s);
  repeated = false;
  for (std::size_t e = begin; e < end; ++e) {
    column[e] = s.row[e - begin].first;
    source[e] = s.row[e - begin].second;
    repeated = repeated || entries.is_repeated(begin, e);
  }
  return repeated;
}

/// Calls f(i, scratch) for i below `count` in parallel, `chunk` at a time. f returns a row with a
/// repeated column, or `none`. Returns the first of these rows, or `none`.
template <class Source, class F>
std::size_t first_repeated(cancel_watch& watch, int threads, std::size_t count, int chunk,
                           std::size_t none, F&& f) {
  std::size_t first = none;
  std::atomic<bool> no_room{false};  // exceptions must not leave a parallel region
#pragma omp parallel num_threads(threads)
  {
    entry_scratch<Source> scratch;
#pragma omp for schedule(dynamic, chunk) reduction(min : first)
    for (std::size_t i = 0; i < count; ++i) try {
        if (!no_room && !watch.is_cancelled()) first = std::min(first, f(i, scratch));
      } catch (const std::bad_alloc&) {
        no_room = true;
      }
  }
  if (no_room) throw std::bad_alloc();
  watch.check();
  return first;
}

/// Sorts every row of grouped entries.
template <class Source>
void sort_rows(cancel_watch& watch, int threads, grouped_entries<Source>& entries) {
  const std::size_t rows = entries.rows();
  const std::size_t first = first_repeated<Source>(
      watch, entries.count > parallel_entries ? threads : 1, rows, 256, rows,
      [&](std::size_t r, entry_scratch<Source>& s) {
        return sort_row(entries, entries.offsets[r], entries.offsets[r + 1], s) ? r : rows;
      });
  if (first < rows) entries.repeated = first;
}

/// Groups by a counting sort over all rows, and sorts them.
template <class Source>
void group_directly(cancel_watch& watch, int threads, std::span<const std::uint32_t> row,
                    std::span<const std::uint32_t> column, grouped_entries<Source>& result) {
  watch.in_blocks(row.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) ++result.offsets[row[e] + std::size_t{1}];
  });
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  {
    std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
    watch.in_blocks(row.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t e = begin; e < end; ++e) {
        const std::uint64_t at = next[row[e]]++;
        result.column[at] = column[e];
        result.source[at] = static_cast<Source>(e);
      }
    });
  }
  sort_rows(watch, threads, result);
}

/// The offsets of `rows` rows, for entries whose rows ascend.
inline std::vector<std::uint64_t> offsets_of(int threads, std::size_t rows,
                                             std::span<const std::uint32_t> row) {
  std::vector<std::uint64_t> offsets(rows + 1, 0);
  const std::size_t count = row.size();
#pragma omp parallel for num_threads(threads) if (count > parallel_entries)
  for (std::size_t e = 0; e < count; ++e)  // for row e and the empty ones before it
    for (std::size_t r = e == 0 ? 0 : row[e - 1] + std::size_t{1}; r <= row[e]; ++r) offsets[r] = e;
  const std::size_t after = count == 0 ? 0 : row[count - 1] + std::size_t{1};
  std::fill(offsets.begin() + static_cast<std::ptrdiff_t>(after), offsets.end(), count);
  return offsets;
}

/// Copies entries whose rows ascend, and sorts the rows.
template <class Source>
void keep_groups(cancel_watch& watch, int threads, std::span<const std::uint32_t> row,
                 std::span<const std::uint32_t> column, grouped_entries<Source>& result) {
  const std::size_t count = row.size();
  result.offsets = offsets_of(threads, result.rows(), row);
#pragma omp parallel for num_threads(threads) if (count > parallel_entries)
  for (std::size_t e = 0; e < count; ++e) {
    result.column[e] = column[e];
    result.source[e] = static_cast<Source>(e);
  }
  watch.check();
  sort_rows(watch, threads, result);
}

/// Entries [begin, end) have the rows [first, last), and `local` these rows, counted from `first`.
/// Groups them, sets the offsets of the rows' ends, and sorts the rows. Returns the first row with
/// a repeated column, or `none`.
template <class Source>
std::size_t sort_bucket(grouped_entries<Source>& entries, const std::uint16_t* local,
                        std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
                        std::size_t none, entry_scratch<Source>& s) {
  std::uint32_t* const column = entries.column.get();
  Source* const source = entries.source.get();
  // While entries are placed, next[r] moves from the beginning of a row to its end.
  std::uint64_t* const next = entries.offsets.data() + first + 1;
  for (std::size_t e = begin; e < end; ++e) ++next[local[e]];
  std::exclusive_scan(next, next + (last - first), next, std::uint64_t{begin});
  s.column.resize(end - begin);
  s.source.resize(end - begin);
  for (std::size_t e = begin; e < end; ++e) {
    const std::size_t at = next[local[e]]++ - begin;
    s.column[at] = column[e];
    s.source[at] = source[e];
  }
  std::copy(s.column.begin(), s.column.end(), column + begin);
  std::copy(s.source.begin(), s.source.end(), source + begin);
  std::size_t repeated = none;
  for (std::size_t r = first, row_begin = begin; r < last; row_begin = next[r++ - first])
    if (sort_row(entries, row_begin, next[r - first], s)) repeated = std::min(repeated, r);
  return repeated;
}

/// Groups through buckets. Returns false, having changed nothing, if one of them is too large.
template <class Source>
bool group_by_buckets(cancel_watch& watch, int threads, std::span<const std::uint32_t> row,
                      std::span<const std::uint32_t> column, grouped_entries<Source>& result) {
  const std::size_t entries = row.size(), rows = result.rows();
  const row_buckets buckets(rows, entries);
  constexpr std::size_t slice = std::size_t{1} << 18, most_counters = std::size_t{1} << 19;
  const std::size_t slices = std::clamp<std::size_t>(
      entries / slice, 1, std::max<std::size_t>(most_counters / buckets.count, 1));
  const auto slice_begin = [&](std::size_t s) {
    return entries / slices * s + std::min(s, entries % slices);
  };
  std::vector<std::uint64_t> next(slices * buckets.count, 0), begin(buckets.count + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (std::size_t s = 0; s < slices; ++s) {
    if (watch.is_cancelled()) continue;
    std::uint64_t* const of_slice = next.data() + s * buckets.count;
    for (std::size_t e = slice_begin(s), end = slice_begin(s + 1); e < end; ++e)
      ++of_slice[row[e] >> buckets.shift];
  }
  watch.check();
  std::uint64_t sum = 0, largest = 0;
  for (std::size_t b = 0; b < buckets.count; ++b) {
    begin[b] = sum;
    for (std::size_t s = 0; s < slices; ++s) sum += std::exchange(next[s * buckets.count + b], sum);
    largest = std::max(largest, sum - begin[b]);
  }
  begin.back() = sum;
  if (largest > entries / 16) return false;
  auto local = std::make_unique_for_overwrite<std::uint16_t[]>(entries);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (std::size_t s = 0; s < slices; ++s) {
    if (watch.is_cancelled()) continue;
    std::uint64_t* const of_slice = next.data() + s * buckets.count;
    const std::uint32_t mask = (1U << buckets.shift) - 1;
    for (std::size_t e = slice_begin(s), end = slice_begin(s + 1); e < end; ++e) {
      const std::uint64_t at = of_slice[row[e] >> buckets.shift]++;
      local[at] = static_cast<std::uint16_t>(row[e] & mask);
      result.column[at] = column[e];
      result.source[at] = static_cast<Source>(e);
    }
  }
  watch.check();
  const std::size_t first = first_repeated<Source>(
      watch, threads, buckets.count, 1, rows, [&](std::size_t b, entry_scratch<Source>& s) {
        return sort_bucket(result, local.get(), begin[b], begin[b + 1], b << buckets.shift,
                           std::min(rows, (b + 1) << buckets.shift), rows, s);
      });
  if (first < rows) result.repeated = first;
  return true;
}

/// The entries of a matrix with that many rows. `ascends`: no row is less than the one before it.
template <class Source>
grouped_entries<Source> group_entries(cancel_watch& watch, int threads, std::size_t rows,
                                      std::span<const std::uint32_t> row,
                                      std::span<const std::uint32_t> column, bool ascends) {
  grouped_entries<Source> result;
  result.count = row.size();
  result.offsets.assign(rows + 1, 0);
  result.column = std::make_unique_for_overwrite<std::uint32_t[]>(row.size());
  result.source = std::make_unique_for_overwrite<Source[]>(row.size());
  if (ascends)
    keep_groups(watch, threads, row, column, result);
  else if (row.size() <= parallel_entries || !group_by_buckets(watch, threads, row, column, result))
    group_directly(watch, threads, row, column, result);
  return result;
}

}  // namespace tropic::detail
