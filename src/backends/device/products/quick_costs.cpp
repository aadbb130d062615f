// SPDX-License-Identifier: Apache-2.0

// Fitted to what synthetic and generated matrices took on an H200, by CUDA and by OpenCL
// (docs/performance.md): what counts is how they compare, which other GPUs share. Values of u cost
// all pulls the same.

#include "backends/device/products/quick_costs.hpp"

#include <algorithm>
#include <limits>

#include "backends/cost_source.hpp"

namespace tropic::detail::device_costs {

constexpr double never = std::numeric_limits<double>::infinity();

namespace {

// Products that are sorted by row (matrix_operations::pushed_part): some 45 launches, passes over
// the rows of both sides, and over the keys for every 4 bits of a row's number.
constexpr double sort_begin = 160, sort_row = 6e-6, sort_edge = 1e-4;

// An entry that a pull reads; where u has gaps, first whether u has an entry there.
constexpr double entry_read = 2.7e-6, gap_read = 4.5e-6, value_behind_gap = 7.5e-6;

// An edge that is pushed by an atomic operation.
constexpr double pushed_edge = 6.5e-6;

// Whatever reads or writes a value of 8 bytes takes so much longer than with 4 or fewer.
double wide(const call_features& f) {
  return f.value_bytes > 4 ? 1.6 : 1;
}

// Lists of rows, how much more than a segmented sum csr_listed spends on an entry, and which part
// of a segmented sum's time for gaps: it packs the flags of u into bits.
constexpr double list_begin = 15, list_row = 4e-6, list_factor = 1.1, packed_gaps = 0.5;
// Below so many entries, the launches that make lists count as much as the products.
constexpr index_t least_listed = 1 << 20;

// The time of csr_bits relative to segmented sums (0.16 to 0.27 on Kronecker graphs of 2^20 and
// 2^22 vertices and a uniform one of 2^20, 0.65 on a uniform one of 2^22), and its conversion in
// such sums, without and with columns in the order by frequency (6 to 9; 20 to 31).
constexpr double bits_factor = 0.3, bits_conversion = 9, ordered_bits_conversion = 25;

double gaps(const call_features& f) {
  if (f.fills_gaps || f.input_nvals >= f.input_size) return 0;
  return wide(f) * (gap_read + value_behind_gap * static_cast<double>(f.input_nvals) /
                                   static_cast<double>(f.input_size));
}

double sorted_push(const call_features& f) {
  constexpr index_t limit = std::numeric_limits<std::uint32_t>::max();
  if (f.exits_early || !f.is_few_edges() || f.nnz > limit || f.output_size > limit) return never;
  return sort_begin + sort_row * static_cast<double>(f.input_size + f.output_size) +
         wide(f) * sort_edge * static_cast<double>(f.input_edges);
}

}  // namespace

// A push reads the rows of u's entries, with atomic sums, a pull every row that is wanted. One
// that its first hit ends is the shorter the more edges leave u, whichever vertices they leave
// (docs/performance.md).
double push(const call_features& f, index_t) {
  if (f.push_needs_transpose) return never;
  if (!f.can_push) return sorted_push(f);
  if (f.exits_early) return f.is_few_edges() ? 0 : never;
  if (f.input_nvals >= f.input_size / 16) return never;
  return f.counts_edges ? wide(f) * pushed_edge * static_cast<double>(f.input_edges) : 0;
}

double vector(const call_features& f, index_t) {
  if (f.exits_early) return 2;
  const auto rows = static_cast<double>(std::max<index_t>(f.output_size, 1)),
             nnz = static_cast<double>(f.nnz), longest = static_cast<double>(f.longest_row);
  // A subgroup of 32 starts with the rows that it shares: two dependent loads, then one step after
  // the other until the longest row ends.
  constexpr double begin = 1.6e-4;
  const double width = f.row_width, turn = f.value_bytes > 4 ? 0.14 : 0.105;
  // The fewer work-items a row has, the fewer entries of a line are read at the same time.
  const double read = wide(f) * (width <= 4 ? 4.1e-6 : width <= 8 ? 2.9e-6 : 2e-6);
  return 3 + begin * rows * width / 32 + (read + gaps(f)) * nnz + turn * longest / width;
}

double scalar(const call_features& f, index_t calls) {
  // One work-item may have to read all of a short row, if there is no match.
  if (f.exits_early) return f.input_nvals == f.input_size && f.longest_row <= 256 ? 1 : never;
  const auto rows = static_cast<double>(std::max<index_t>(f.output_size, 1)),
             nnz = static_cast<double>(f.nnz), longest = static_cast<double>(f.longest_row);
  // A work-item a row reads side by side only where rows are short; where sums are comparisons each
  // of them waits for the one before it.
  if (longest > 128 || nnz > 5.5 * rows) return vector(f, calls) + 1;
  return 2.5 + 1.3e-4 * rows / 32 + (1.9e-6 * wide(f) + gaps(f)) * nnz +
         (f.compares ? 0.12 : 0.05) * longest;
}

double segmented(const call_features& f, index_t expected_calls) {
  if (f.exits_early) return never;
  const auto rows = static_cast<double>(std::max<index_t>(f.output_size, 1)),
             nnz = static_cast<double>(f.nnz);
  // Rows of tiles are found once. Most products of all rows are repeated, and a
  // choice that changed with the number of calls would change the bits of sums.
  const index_t least_calls = f.wanted_edges == f.nnz ? 8 : 1;
  return 7.25 + 3.5e-6 * rows + (entry_read * wide(f) + gaps(f)) * nnz +
         (14 + 4e-7 * nnz) / static_cast<double>(std::max(expected_calls, least_calls));
}

// Where entries are left out, or u of a large matrix has gaps.
double listed(const call_features& f, index_t) {
  const double gap_cost = gaps(f);
  const bool suits = f.wanted_edges < f.nnz || (gap_cost > 0 && f.nnz >= least_listed);
  if (f.exits_early || !suits) return never;
  return list_begin + list_row * static_cast<double>(f.output_size) +
         (list_factor * entry_read * wide(f) + packed_gaps * gap_cost) *
             static_cast<double>(f.wanted_edges);
}

bool is_thin(index_t nvals, index_t size) {
  return nvals < size / 8;
}

double hub_factor(double share) {
  return 1 - 0.6 * share;
}

namespace {

// Of a format that is made once for all pulls, of which as many are expected as there have been.
double share_of_conversion(const call_features& f, index_t expected_calls, double conversion) {
  if (f.has_hubs) return 0;
  return conversion / static_cast<double>(std::max<index_t>(expected_calls, 1) + f.pulls);
}

}  // namespace

// Against segmented sums on graphs of 2^20 and 2^22 vertices, and where all columns are ordered, of
// 2^23 to 2^26 (docs/notes/hub-staging.md).
double hubs(const call_features& f, index_t expected_calls) {
  const bool is_mostly_gaps = !f.fills_gaps && is_thin(f.input_nvals, f.input_size);
  if (f.exits_early || f.takes_bits || f.hub_share <= 0 || is_mostly_gaps) return never;
  const double order = f.hubs_order_all ? 0.65 : 1;
  const double by_segments = segmented(f, expected_calls);
  return by_segments * order * hub_factor(f.hub_share) +
         share_of_conversion(f, expected_calls, (f.moves_values ? 30 : 15) * by_segments);
}

// Gaps are bits as well, which cost no more where few of them are entries.
double bits(const call_features& f, index_t expected_calls) {
  if (!f.takes_bits || f.hub_share <= 0) return never;
  const double by_segments = segmented(f, expected_calls);
  return bits_factor * by_segments +
         share_of_conversion(
             f, expected_calls,
             (f.hubs_order_all ? ordered_bits_conversion : bits_conversion) * by_segments);
}

}  // namespace tropic::detail::device_costs
