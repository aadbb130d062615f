// SPDX-License-Identifier: Apache-2.0

// Which method computes a product of matrices. Gustavson's costs the number of products; sums for
// each position of a mask cost the lengths of the rows of B' that the mask selects, and pay where a
// mask is sparse beside the product, as in counting triangles (cf. SuiteSparse:GraphBLAS, dot3;
// Milakovic et al. 2022, Inner). Neither the choice nor the parts depend on the number of threads.

#include "backends/cpu/mxm/method.hpp"

#include <algorithm>
#include <numeric>

#include <tropic/error.hpp>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/mxm/evaluated.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/mask.hpp"
#include "backends/kept_transpose.hpp"
#include "containers/derived_copies.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::uint64_t part_work = 1 << 18;  // products and entries of one part, if possible
constexpr std::uint64_t row_work = 8;         // a row's cost in products
constexpr std::uint64_t position_work = 4;    // of a position of the mask, beside its row of B'
// Building a transpose costs so many products an entry.
constexpr std::uint64_t transpose_work = 8;

csr_arrays arrays_of(const memory_side& here, const matrix_base& m, bool with_values) {
  return {here.read(m.offsets), here.read_as<std::uint32_t>(m.column_indices),
          with_values ? here.read(m.values) : nullptr, m.wide, m.iso};
}

// Blocks of about equal numbers of rows and entries.
row_blocks blocks_of(const csr_arrays& m, std::size_t rows) {
  return {rows, [&](std::size_t row) { return row + m.offset(row); }};
}

// For each column of b, the number of entries, counted in `ranges` ranges of entries that have
// counters of their own.
counted_memory column_lengths(const memory_side& here, const csr_arrays& b, std::size_t columns,
                              std::size_t nnz, std::size_t ranges) {
  counted_memory counters(*here.context(), ranges * columns * sizeof(std::uint32_t));
  auto* const length = counters.as<std::uint32_t>();
  for_blocks(here.threads(), ranges, [&](std::size_t range) {
    std::uint32_t* const mine = length + range * columns;
    std::fill_n(mine, columns, std::uint32_t{0});
    for (std::size_t e = nnz * range / ranges, end = nnz * (range + 1) / ranges; e < end; ++e)
      ++mine[b.columns[e]];
  });
  for_chunks(here.threads(), columns, [&](std::size_t begin, std::size_t end) {
    for (std::size_t range = 1; range < ranges; ++range)
      for (std::size_t j = begin; j < end; ++j) length[j] += length[range * columns + j];
  });
  return counters;
}

// The same in as many ranges as there are threads, if their O(nnz) counters fit in memory.
counted_memory column_lengths(const memory_side& here, const csr_arrays& b, std::size_t columns,
                              std::size_t nnz) {
  const std::size_t ranges = std::clamp<std::size_t>(
      std::min(as_size(here.threads()), 2 * nnz / columns), 1, chunks_of(nnz) + 1);
  try {
    return column_lengths(here, b, columns, nnz, ranges);
  } catch (const out_of_memory&) {
    if (ranges == 1) throw;
  }
  return column_lengths(here, b, columns, nnz, 1);
}

}  // namespace

prepared_mxm::prepared_mxm(const memory_side& here, const matrix_product& p,
                           const matrix_rule& rule, const transposer& transpose_of)
    : kernels(p.semiring.cpu_mxm_kernels ? p.semiring.cpu_mxm_kernels : &evaluated_mxm_kernels),
      rows(as_size(p.rows())),
      columns(as_size(p.columns())),
      inner(as_size(p.inner())),
      has_mask_(rule.mask != nullptr),
      complemented_(rule.complemented) {
  arguments.semiring = &p.semiring;
  const auto by_rows = [&](const matrix_base& m, bool transposed,
                           std::shared_ptr<const matrix_base>& keep) -> const matrix_base& {
    if (!transposed) return m;
    keep = transpose_of(m);
    return *keep;
  };
  arguments.a = arrays_of(here, by_rows(p.a, p.a_transposed, a_), true);
  if (has_mask_) use_mask(here, *rule.mask, rule.structural);
  if (is_masked()) choose_method(here, p);
  const bool wants_transpose = (method == mxm_method::inner) != p.b_transposed;
  arguments.b = arrays_of(here, by_rows(p.b, wants_transpose, b_), true);
  if (method != mxm_method::inner) count_products(here);
  if (method == mxm_method::inner && work_.bytes() == 0)
    divide_by_positions();
  else
    divide(here.threads());
  work_ = {};
  counts = method == mxm_method::inner && !searches && counts_products(p.semiring, inner);
  b_is_lower = counts && p.b_transposed &&
               p.b.derived->below_diagonal.load(std::memory_order_relaxed) == matrix_fact::holds;
  // Here arguments.b is B', of as many rows as C has columns. Fewer positions than entries of B'
  // may leave most of its rows unread.
  const index_t longest = p.b_transposed ? p.b.longest_row : p.columns();
  if (counts && row_bitmaps::can_gain(as_size(longest)) &&
      arguments.mask.offset(rows) >= arguments.b.offset(columns) / 4)
    bitmaps = row_bitmaps(*here.context(), arguments.b, columns, here.threads());
}

void prepared_mxm::use_mask(const memory_side& here, const matrix_base& mask, bool structural) {
  arguments.mask = arrays_of(here, mask, false);
  if (structural || mask.nnz == 0) return;
  const matrix_view from(here, mask);
  const truth is_true(*mask.type);
  const auto counts_at = [&](std::size_t e) {
    return is_true(from.values + from.value_at(e) * from.bytes);
  };
  const row_blocks blocks(from);
  std::vector<std::size_t> start(blocks.count() + 1, 0);  // of the true entries of each block
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    const std::size_t end = from.offsets[blocks.begin(block + 1)];
    std::size_t count = 0;
    for (std::size_t e = from.offsets[blocks.begin(block)]; e < end; ++e) count += counts_at(e);
    start[block + 1] = count;
  });
  std::partial_sum(start.begin(), start.end(), start.begin());
  mask_offsets_ = counted_memory(*here.context(), (rows + 1) * sizeof(std::uint64_t));
  mask_columns_ = counted_memory(*here.context(), start.back() * sizeof(std::uint32_t));
  auto* const offsets = mask_offsets_.as<std::uint64_t>();
  auto* const true_columns = mask_columns_.as<std::uint32_t>();
  offsets[rows] = start.back();
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    std::size_t at = start[block];
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      offsets[row] = at;
      for (std::size_t e = from.offsets[row], end = from.offsets[row + 1]; e < end; ++e)
        if (counts_at(e)) true_columns[at++] = from.column[e];
    }
  });
  arguments.mask = {offsets, true_columns, nullptr, true, false};
}

void prepared_mxm::choose_method(const memory_side& here, const matrix_product& p) {
  if (!p.kernel.empty()) {
    method = mxm_method_of(p.kernel);
    searches = method == mxm_method::inner && is_hypersparse(p.rows(), p.a.nnz, p.inner());
    return;
  }
  const csr_arrays &a = arguments.a, &mask = arguments.mask;
  const csr_arrays b = arrays_of(here, p.b, false);
  const std::size_t b_rows = as_size(p.b.rows), b_columns = as_size(p.b.columns);
  const std::size_t b_nnz = as_size(p.b.nnz), a_nnz = a.offset(rows), mask_nnz = mask.offset(rows);
  // Few entries cannot be worth arrays of B's columns, which the estimate and a transpose need.
  if (b_columns > 16 * (a_nnz + b_nnz + mask_nnz) + 1024) {
    method = p.b_transposed ? mxm_method::inner : mxm_method::gustavson;
    searches = p.b_transposed;
    return;
  }
  const auto row_length = [&](std::size_t r) { return std::uint64_t{b.length(r)}; };
  const bool has_transpose = p.b.symmetric || has_kept_transpose(p.b);
  const std::uint64_t transposing = has_transpose ? 0 : transpose_work * (b_nnz + b_rows);
  if (p.b_transposed) {
    // Where rows are short, as on roads, a bound decides without a pass over the positions.
    const auto longest_of_a = static_cast<std::uint64_t>(p.a.longest_row);
    const std::uint64_t max_row_work =
        std::min(static_cast<std::uint64_t>(p.b.longest_row), 16 * longest_of_a);
    if (!p.a_transposed && mask_nnz * (position_work + max_row_work) <= transposing) {
      method = mxm_method::inner;
      return;
    }
    inner_work = weigh_positions(here, row_length);
    if (*inner_work <= transposing) {
      method = mxm_method::inner;
      return;
    }
  }
  const counted_memory lengths = column_lengths(here, b, b_columns, b_nnz);
  const auto* const length_of = lengths.as<std::uint32_t>();
  const auto column_length = [&](std::size_t c) { return std::uint64_t{length_of[c]}; };
  // A row without entries of the mask is not computed.
  const row_blocks blocks = blocks_of(a, rows);
  const auto add_rows = [&](auto&& of_b) {
    return sum_over_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
      std::size_t sum = 0;
      for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row)
        if (mask.length(row) > 0)
          for (std::size_t e = a.offset(row), stop = a.offset(row + 1); e < stop; ++e)
            sum += of_b(a.columns[e]);
      return sum;
    });
  };
  gustavson_work =
      mask_nnz + (p.b_transposed ? add_rows(column_length) + transposing : add_rows(row_length));
  if (!p.b_transposed) inner_work = weigh_positions(here, column_length) + transposing;
  method = *inner_work <= *gustavson_work ? mxm_method::inner : mxm_method::gustavson;
}

template <class Length>
std::uint64_t prepared_mxm::weigh_positions(const memory_side& here, Length&& length_of) {
  work_ = counted_memory(*here.context(), rows * sizeof(std::uint64_t));
  auto* const work_of = work_.as<std::uint64_t>();
  const row_blocks blocks = blocks_of(arguments.mask, rows);
  return sum_over_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    std::size_t sum = 0;
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::uint64_t length = arguments.a.length(row);
      std::uint64_t work = 0;
      if (length > 0)
        for (std::size_t n = arguments.mask.offset(row), stop = arguments.mask.offset(row + 1);
             n < stop; ++n)
          work += position_work + std::min(length_of(arguments.mask.columns[n]), 16 * length);
      work_of[row] = work;
      sum += work;
    }
    return sum;
  });
}

void prepared_mxm::count_products(const memory_side& here) {
  products_ = counted_memory(*here.context(), rows * sizeof(std::uint64_t));
  auto* const of_row = products_.as<std::uint64_t>();
  const row_blocks blocks = blocks_of(arguments.a, rows);
  for_blocks(here.threads(), blocks.count(), [&](std::size_t block) {
    for (std::size_t row = blocks.begin(block); row < blocks.begin(block + 1); ++row) {
      const std::size_t first = arguments.a.offset(row), last = arguments.a.offset(row + 1);
      std::uint64_t sum = 0;
      if (!is_masked() || arguments.mask.length(row) > 0)
        for (std::size_t e = first; e < last; ++e)
          sum += arguments.b.length(arguments.a.columns[e]);
      of_row[row] = sum;
    }
  });
}

std::size_t prepared_mxm::bound(std::size_t row) const {
  if (method == mxm_method::inner) return static_cast<std::size_t>(products(row));
  if (is_masked())
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(products(row), arguments.mask.length(row)));
  return static_cast<std::size_t>(std::min<std::uint64_t>(products(row), columns));
}

// No part goes beyond a chunk of rows, so that threads can divide chunks.
void prepared_mxm::divide(int threads) {
  const auto* const weighed = work_.as<std::uint64_t>();
  const auto work_of = [&](std::size_t row) {
    std::uint64_t work = row_work + products(row);
    if (method == mxm_method::inner)
      work += weighed[row];
    else if (has_mask_ && products(row) > 0)
      work += arguments.mask.length(row);
    return work;
  };
  // end(row) where a part of the chunk ends before that row.
  const auto for_ends = [&](std::size_t begin, std::size_t stop, auto&& end) {
    std::uint64_t work = 0;
    for (std::size_t row = begin; row < stop; ++row) {
      work += work_of(row);
      if (work < part_work && row + 1 < stop) continue;
      end(row + 1);
      work = 0;
    }
  };
  std::vector<std::size_t> first(chunks_of(rows) + 1, 0);  // of the parts of each chunk
  for_chunks(threads, rows, [&](std::size_t begin, std::size_t stop) {
    std::size_t count = 0;
    for_ends(begin, stop, [&](std::size_t) { ++count; });
    first[begin / chunk_size + 1] = count;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  part.assign(first.back() + 1, 0);
  for_chunks(threads, rows, [&](std::size_t begin, std::size_t stop) {
    std::size_t n = first[begin / chunk_size];
    for_ends(begin, stop, [&](std::size_t row) { part[++n] = row; });
  });
}

// The same without a pass over the rows, by the positions of the mask.
void prepared_mxm::divide_by_positions() {
  const auto work_before = [&](std::size_t row) {
    return row_work * row + arguments.mask.offset(row);
  };
  const std::uint64_t parts = work_before(rows) / part_work + 1;
  part.assign(1, 0);
  for (std::uint64_t n = 1; n < parts; ++n) {
    const std::size_t row = partition_point(
        part.back(), rows, [&](std::size_t r) { return work_before(r) < n * part_work; });
    if (row > part.back()) part.push_back(row);
  }
  if (part.back() != rows) part.push_back(rows);
}

}  // namespace tropic::detail::on_cpu
