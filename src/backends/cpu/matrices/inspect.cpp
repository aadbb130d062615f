// SPDX-License-Identifier: Apache-2.0

// The statistics of a matrix (backends/pattern_counts.hpp) in one parallel pass over its offsets
// and one over the sampled pieces. Each thread has its own counters, except those of columns and
// segments, which are shared. Work O(rows + sampled entries + counters).

#include <omp.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include "containers/cancel_watch.hpp"

#include "backends/cpu/backend.hpp"
#include "backends/cpu/parallel.hpp"
#include "containers/cancel_watch.hpp"

namespace tropic::detail {

namespace {

using stats = pattern_counts;

// `count` bits of `bits`, cleared after counting.
template <std::uint32_t Bits>
class marked_bits {
 public:
  void mark(std::uint32_t hash) {
    std::uint64_t& word = words_[hash % Bits / 64];
    const std::uint64_t bit = std::uint64_t{1} << hash % 64;
    count_ += (word & bit) == 0;
    word |= bit;
  }
  std::uint64_t take() {
    if (count_ == 0) return 0;
    words_ = {};
    return std::exchange(count_, 0);
  }

 private:
  std::array<std::uint64_t, Bits / 64> words_{};
  std::uint64_t count_ = 0;
};

struct pattern {
  const void* offsets;
  bool wide;
  const std::uint32_t* columns;
  std::uint64_t rows, width, nnz;

  std::uint64_t offset(std::uint64_t row) const {
    return wide ? static_cast<const std::uint64_t*>(offsets)[row]
                : static_cast<const std::uint32_t*>(offsets)[row];
  }
  // The row of entry e.
  std::uint64_t row_of(std::uint64_t e) const {
    std::uint64_t low = 0, high = rows;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (offset(middle) <= e ? low : high) = middle;
    }
    return low;
  }
};

class counters {
 public:
  counters(std::uint64_t n, bool shared)
      : n_(n), shared_(shared), count_(static_cast<std::size_t>(stats::counters_of(n))) {}
  void add(std::uint64_t index) {
    std::uint32_t& counter = count_[static_cast<std::size_t>(stats::counter_of(index, n_))];
    if (shared_)
      std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
    else
      ++counter;
  }
  void add_to(stats& result, int threads) const {
    const std::size_t segments = count_.size() / stats::segment;
#pragma omp parallel num_threads(threads) if (count_.size() > 1 << 15)
    {
      size_histogram columns, of_segment;
#pragma omp for nowait
      for (std::size_t n = 0; n < segments; ++n) {
        std::uint64_t sum = 0;
        for (std::size_t k = n * stats::segment; k < (n + 1) * stats::segment; ++k) {
          sum += count_[k];
          if (k < n_) columns.add(count_[k]);
        }
        of_segment.add(sum);
      }
#pragma omp critical(tropic_inspect)
      {
        result.columns.add(columns);
        result.segments.add(of_segment);
      }
    }
  }

 private:
  std::uint64_t n_;
  bool shared_;
  std::vector<std::uint32_t> count_;
};

// The marks of one thread.
struct scratch {
  marked_bits<stats::piece_bits> piece;
  marked_bits<stats::window_bits> window;
};

void look_at(const pattern& m, std::uint64_t begin, std::uint64_t end, scratch& marks,
             counters& columns, stats& result) {
  std::uint64_t row = m.row_of(begin), row_end = m.offset(row + 1), row_begin = begin;
  std::uint64_t block = stats::block_of(row, m.rows) * 8;
  // at * 8 / width, without a division per entry: an estimate that is off by at most one, then
  // corrected.
  std::array<std::uint64_t, 10> edge{};
  for (std::uint64_t b = 0; b < 9; ++b) edge[b] = (b * m.width + 7) / 8;
  edge[9] = ~std::uint64_t{0};
  const double blocks_a_column = 8 / static_cast<double>(m.width);
  bool is_dirty = false;
  for (std::uint64_t e = begin; e < end; ++e) {
    const std::uint64_t at = e - begin;
    if (e == row_end) {
      const std::uint64_t before = row;
      do {
        row_end = m.offset(++row + 1);
      } while (row_end == e);
      row_begin = e;
      block = stats::block_of(row, m.rows) * 8;
      if (row > before + 1 && at % stats::tile != 0) is_dirty = true;
    }
    const std::uint64_t column = m.columns[e], segment = column / stats::segment;
    columns.add(column);
    const std::uint32_t hash = stats::hash(segment);
    marks.piece.mark(hash);
    marks.window.mark(hash);
    if (at % stats::window == stats::window - 1) result.window_marks += marks.window.take();
    if (at % stats::tile == stats::tile - 1) {
      result.dirty_tiles += is_dirty;
      is_dirty = false;
    }
    if (column % stats::segment == stats::segment - 1 && e + 1 - row_begin >= stats::segment &&
        m.columns[e + 1 - stats::segment] + stats::segment - 1 == column)
      result.dense += stats::segment;
    const std::uint64_t distance = row > column ? row - column : column - row;
    result.distance += distance;
    result.widest = std::max(result.widest, distance);
    auto across = static_cast<std::size_t>(static_cast<double>(column) * blocks_a_column);
    if (column < edge[across]) --across;
    if (column >= edge[across + 1]) ++across;
    ++result.blocks[static_cast<std::size_t>(block) + across];
  }
  const std::uint64_t count = end - begin;
  result.dirty_tiles += is_dirty;
  result.window_marks += marks.window.take();
  result.piece_marks += marks.piece.take();
  result.entries += count;
  ++result.pieces;
  result.windows += (count + stats::window - 1) / stats::window;
  result.tiles += (count + stats::tile - 1) / stats::tile;
}

// Whether the strip of 2^(n + 1) rows ends before `row`, which is at most `last`.
bool ends_strip(std::uint64_t row, std::uint64_t last, std::size_t n) {
  return row % (std::uint64_t{2} << n) == 0 || row == last;
}

void add_to(stats& sum, const stats& part) {
  sum.rows.add(part.rows);
  for (std::size_t n = 0; n < sum.blocks.size(); ++n) sum.blocks[n] += part.blocks[n];
  for (std::uint64_t stats::*of :
       {&stats::entries, &stats::windows, &stats::pieces, &stats::tiles, &stats::window_marks,
        &stats::piece_marks, &stats::dense, &stats::dirty_tiles, &stats::distance})
    sum.*of += part.*of;
  sum.widest = std::max(sum.widest, part.widest);
  for (std::size_t n = 0; n < sum.fullest_strips.size(); ++n)
    sum.fullest_strips[n] = std::max(sum.fullest_strips[n], part.fullest_strips[n]);
  for (std::size_t n = 0; n < sum.longest_sums.size(); ++n)
    sum.longest_sums[n] += part.longest_sums[n];
}

}  // namespace

pattern_counts cpu_backend::inspect(const matrix_base& a, std::uint64_t wanted) {
  pattern m{.offsets = read(a.offsets),
            .wide = a.wide,
            .columns = read_as<std::uint32_t>(a.column_indices),
            .rows = static_cast<std::uint64_t>(a.rows),
            .width = static_cast<std::uint64_t>(a.columns),
            .nnz = static_cast<std::uint64_t>(a.nnz)};
  stats result;
  const stats::sample sample(m.nnz, wanted);
  const bool is_parallel = threads() > 1 && m.rows + 8 * sample.taken * stats::piece > 1 << 16;
  const int team = is_parallel ? threads() : 1;
  counters columns(m.nnz > 0 ? m.width : 0, is_parallel);
  cancel_watch watch(context_.shared_from_this());
  const std::size_t blocks = on_cpu::chunks_of(static_cast<std::size_t>(m.rows));
  // Allocated here: exceptions must not leave a parallel region.
  std::vector<scratch> all_marks(static_cast<std::size_t>(team));
#pragma omp parallel num_threads(team) if (team > 1)
  {
    stats thread_stats;
    scratch& marks = all_marks[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 1) nowait
    for (std::uint64_t n = 0; n < sample.taken; ++n)
      if (!watch.is_cancelled())
        look_at(m, sample.begin(n), sample.end(n), marks, columns, thread_stats);
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t chunk = 0; chunk < blocks; ++chunk) {
      if (watch.is_cancelled()) continue;
      const std::uint64_t last = std::min<std::uint64_t>(m.rows, (chunk + 1) * on_cpu::chunk_size);
      std::uint64_t row = chunk * on_cpu::chunk_size, begin = m.offset(row);
      // Chunks consist of whole strips. For each height: where the current strip began, and its
      // longest row so far.
      std::array<std::uint64_t, 4> strips{begin, begin, begin, begin};
      std::array<std::uint64_t, 5> longest{};
      for (; row < last; ++row) {
        const std::uint64_t end = m.offset(row + 1);
        thread_stats.rows.add(end - begin);
        longest[0] = std::max(longest[0], end - begin);
        begin = end;
        for (std::size_t n = 0; n < strips.size() && ends_strip(row + 1, last, n); ++n) {
          thread_stats.fullest_strips[n] =
              std::max(thread_stats.fullest_strips[n], end - strips[n]);
          strips[n] = end;
        }
        for (std::size_t n = 0; n < longest.size() && ends_strip(row + 1, last, n); ++n) {
          thread_stats.longest_sums[n] += longest[n];
          if (n + 1 < longest.size()) longest[n + 1] = std::max(longest[n + 1], longest[n]);
          longest[n] = 0;
        }
      }
    }
#pragma omp critical(tropic_inspect)
    add_to(result, thread_stats);
  }
  watch.check();
  columns.add_to(result, team);
  return result;
}

}  // namespace tropic::detail
