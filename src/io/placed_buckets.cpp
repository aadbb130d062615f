// SPDX-License-Identifier: Apache-2.0

// See placed_buckets.hpp.

#include "io/placed_buckets.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "containers/cancel_watch.hpp"
#include "containers/duplicates.hpp"
#include "containers/grouped_entries.hpp"
#include "containers/integers.hpp"

namespace tropic::io::detail {

namespace {

/// The copy of a bucket, and of a row that is sorted.
struct bucket_copy {
  std::vector<std::uint32_t> column;
  std::vector<std::byte> values;
  tropic::detail::entry_scratch<std::uint32_t> sorting;
};

template <class Offset>
class bucket_sorter {
 public:
  bucket_sorter(placed_buckets& of, tropic::duplicates rule)
      : of_(of),
        offsets_(static_cast<Offset*>(of.result.offsets->host_write())),
        columns_(of.columns()),
        values_(of.values()),
        merges_(rule != duplicates::error && !(is_iso() && rule == duplicates::sum)),
        combine_(tropic::detail::combiner(*of.result.type, rule)),
        kept_(of.buckets, 0),
        column_mask_(static_cast<std::uint32_t>((std::uint64_t{1} << of.column_bits) - 1)) {
    std::fill(offsets_, offsets_ + of.rows + 1, Offset{0});
  }

  /// False if a repeated entry is not to be merged here.
  bool sort(const job& work) {
    std::vector<bucket_copy> copies(static_cast<std::size_t>(work.thread_count()));
    tropic::detail::cancel_watch watch(of_.result.context);
    tropic::detail::with_size(of_.value_size, [&](auto bytes) {
      for_each_task(of_.buckets, work, [&, bytes](std::size_t b) {
        watch.check();
        if (is_refused_.load(std::memory_order_relaxed)) return;
        sort_bucket(b, copies[static_cast<std::size_t>(omp_get_thread_num())], bytes);
      });
    });
    return !is_refused_;
  }

  /// Buckets with repeated entries leave gaps before the next one. Returns how many entries are
  /// left.
  std::uint64_t close_gaps() {
    std::uint64_t at = 0;
    for (std::size_t b = 0; b < of_.buckets; ++b) {
      if (const std::uint64_t gap = of_.begin[b] - at; gap > 0) {
        const std::uint64_t begin = of_.begin[b];
        std::copy(columns_ + begin, columns_ + begin + kept_[b], columns_ + at);
        if (!is_iso())
          std::memmove(values_ + at * of_.value_size, values_ + begin * of_.value_size,
                       kept_[b] * of_.value_size);
        const std::size_t last = std::min(of_.rows, (b + 1) << of_.shift);
        for (std::size_t r = b << of_.shift; r < last; ++r)
          offsets_[r + 1] -= static_cast<Offset>(gap);
      }
      at += kept_[b];
    }
    return at;
  }

 private:
  bool is_iso() const { return values_ == nullptr; }

  template <class Bytes>
  void sort_bucket(std::size_t b, bucket_copy& copy, Bytes bytes) {
    const std::size_t begin = of_.begin[b], end = of_.begin[b + 1];
    const std::size_t first = b << of_.shift,
                      rows = std::min(of_.rows, (b + 1) << of_.shift) - first;
    // While entries are copied, next[r] moves from the beginning of a row to its end.
    Offset* const next = offsets_ + first + 1;
    copy_by_rows(begin, end, next, rows, copy, bytes);
    std::size_t at = begin, row_begin = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t row_end = next[r];
      at = write_row(copy, row_begin, row_end, at, bytes);
      row_begin = row_end;
      next[r] = static_cast<Offset>(at);
    }
    kept_[b] = at - begin;
  }

  /// Groups the entries [begin, end) by row. Leaves in `next` where each row of the copy ends.
  template <class Bytes>
  void copy_by_rows(std::size_t begin, std::size_t end, Offset* next, std::size_t rows,
                    bucket_copy& copy, Bytes bytes) {
    const auto local = [&](std::size_t e) -> std::size_t {
      return of_.is_packed ? std::uint64_t{columns_[e]} >> of_.column_bits : of_.local[e];
    };
    for (std::size_t e = begin; e < end; ++e) ++next[local(e)];
    std::exclusive_scan(next, next + rows, next, Offset{0});
    copy.column.resize(end - begin);
    if (!is_iso()) copy.values.resize((end - begin) * bytes);
    for (std::size_t e = begin; e < end; ++e) {
      const std::size_t at = next[local(e)]++;
      copy.column[at] = of_.is_packed ? columns_[e] & column_mask_ : columns_[e];
      if (!is_iso()) std::memcpy(copy.values.data() + at * bytes, values_ + e * bytes, bytes);
    }
  }

  /// Writes a row of the copy to the result, from `at` on, by column and merged. Returns its end.
  template <class Bytes>
  std::size_t write_row(bucket_copy& copy, std::size_t begin, std::size_t end, std::size_t at,
                        Bytes bytes) {
    const std::size_t length = end - begin;
    const std::uint32_t* const row = copy.column.data() + begin;
    bool is_strict = true;
    for (std::size_t e = 1; e < length; ++e) is_strict = is_strict && row[e - 1] < row[e];
    if (is_strict) {
      std::copy(row, row + length, columns_ + at);
      if (!is_iso() && length > 0)
        std::memcpy(values_ + at * bytes, copy.values.data() + begin * bytes, length * bytes);
      return at + length;
    }
    auto& sorting = copy.sorting;
    sorting.row.clear();
    for (std::size_t e = begin; e < end; ++e)
      sorting.row.emplace_back(copy.column[e], static_cast<std::uint32_t>(e));
    tropic::detail::sort_pairs(sorting);
    const std::size_t row_at = at;
    for (const auto& [column, source] : sorting.row) {
      const std::byte* const value = is_iso() ? nullptr : copy.values.data() + source * bytes;
      if (at > row_at && columns_[at - 1] == column) {
        if (!merges_) is_refused_ = true;
        if (!is_iso()) combine_(values_ + (at - 1) * bytes, value, bytes);
      } else {
        columns_[at] = column;
        if (!is_iso()) std::memcpy(values_ + at * bytes, value, bytes);
        ++at;
      }
    }
    return at;
  }

  placed_buckets& of_;
  Offset* const offsets_;
  std::uint32_t* const columns_;
  std::byte* const values_;
  const bool merges_;
  const tropic::detail::combine_function combine_;
  std::vector<std::uint64_t> kept_;  ///< entries of each bucket, once it is sorted
  const std::uint32_t column_mask_;
  std::atomic<bool> is_refused_{false};
};

template <class Offset>
bool sort_with(placed_buckets& buckets, tropic::duplicates rule, const job& work) {
  bucket_sorter<Offset> sorter(buckets, rule);
  if (!sorter.sort(work)) return false;
  buckets.result.nnz = static_cast<index_t>(sorter.close_gaps());
  return true;
}

}  // namespace

bool placed_buckets::sort(tropic::duplicates rule, const job& work) {
  return result.wide ? sort_with<std::uint64_t>(*this, rule, work)
                     : sort_with<std::uint32_t>(*this, rule, work);
}

}  // namespace tropic::io::detail
