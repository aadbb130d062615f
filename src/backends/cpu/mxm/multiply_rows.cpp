// SPDX-License-Identifier: Apache-2.0

// Threads take parts of the rows. The size of a product is known only when it is computed, so there
// are two ways:
//
//   once    Every part collects its rows in blocks, which are then copied into the result. Product
//           and blocks exist at the same time.
//   twice   Rows are computed to be counted, exactly the memory for them is taken, and they are
//           computed again in place. For results that might not fit beside their blocks.
//
// Whether `once` fits is known from bounds of the rows, or from the rows of a sample.

#include "backends/cpu/mxm/multiply_rows.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <numeric>

#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/mxm/sorted_rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/summer.hpp"
#include "containers/cancel_watch.hpp"
#include "containers/memory/machine_memory.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t block_entries = 1 << 16;
constexpr std::size_t small_result = std::size_t{1} << 24;  // bytes that a machine has
constexpr std::size_t sampled_rows = 512;

// Consecutive rows of a part.
struct row_block {
  std::size_t first_row = 0, count = 0, capacity = 0;
  counted_memory columns, values;
};

/// body(part, computer) for every part, by all threads; rethrows the first exception.
template <class Body>
void for_parts(context_state& context, const prepared_mxm& p, Body&& body) {
  const std::size_t parts = p.part.size() - 1;
  const int threads = static_cast<int>(std::min<std::size_t>(
      static_cast<std::size_t>(context.threads()), std::max<std::size_t>(parts, 1)));
  const context_pointer owner = context.shared_from_this();
  cancel_watch watch(owner);
  std::exception_ptr failure;
  std::atomic<bool> stopped{false};
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    std::unique_ptr<row_computer> computer;
#pragma omp for schedule(dynamic, 1)
    for (std::size_t part = 0; part < parts; ++part) {
      if (stopped.load(std::memory_order_relaxed) || watch.is_cancelled()) continue;
      try {
        if (computer == nullptr) computer = std::make_unique<row_computer>(context, p);
        body(part, *computer);
      } catch (...) {
        stopped.store(true, std::memory_order_relaxed);
#pragma omp critical(tropic_mxm)
        if (failure == nullptr) failure = std::current_exception();
      }
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  watch.check();
}

// Computes the rows of a part into new blocks.
std::vector<row_block> collect(context_state& context, const prepared_mxm& p, std::size_t part,
                               row_computer& computer, std::uint64_t* lengths) {
  const std::size_t begin = p.part[part], end = p.part[part + 1];
  const std::size_t bytes = p.semiring().z().size;
  std::size_t left = 0;  // bound of the rows to come
  for (std::size_t row = begin; row < end; ++row) left += p.bound(row);
  std::vector<row_block> blocks;
  if (left == 0) {
    std::fill(lengths + begin, lengths + end, std::uint64_t{0});
    return blocks;
  }
  for (std::size_t row = begin; row < end;) {
    const std::size_t bound = p.bound(row);
    if (blocks.empty() || blocks.back().capacity - blocks.back().count < bound) {
      row_block block;
      block.first_row = row;
      block.capacity = std::max(bound, std::min(left, block_entries));
      block.columns = counted_memory(context, block.capacity * sizeof(std::uint32_t));
      block.values = counted_memory(context, block.capacity * bytes);
      blocks.push_back(std::move(block));
    }
    row_block& to = blocks.back();
    // As many rows as certainly fit.
    std::size_t stop = row, room = to.capacity - to.count;
    for (std::size_t next = bound; next <= room;) {
      room -= next;
      left -= next;
      if (++stop == end) break;
      next = p.bound(stop);
    }
    to.count += computer.compute(
        row, stop, {to.columns.as<std::uint32_t>() + to.count, to.values.as<>() + to.count * bytes},
        lengths + row);
    row = stop;
  }
  return blocks;
}

// Bytes that the limit of the context leaves.
std::size_t room_by_limit(const context_state& context) {
  const std::size_t limit = context.account.limit(), used = context.account.used();
  if (limit == 0) return std::numeric_limits<std::size_t>::max();
  return limit > used ? limit - used : 0;
}

bool fits_twice(context_state& context, const prepared_mxm& p) {
  const std::size_t entry = sizeof(std::uint32_t) + p.semiring().z().size;
  const std::uint64_t max_entries =
      sum_over_chunks(context.threads(), p.rows, [&](std::size_t begin, std::size_t end) {
        std::size_t sum = 0;
        for (std::size_t row = begin; row < end; ++row) sum += p.bound(row);
        return sum;
      });
  std::size_t room = room_by_limit(context) / 2;
  // What is left of the machine's memory takes longer to find out than small products.
  if (max_entries <= std::min(small_result, room) / entry / 2) return true;
  room = std::min(room, available_memory() / 2);
  if (max_entries <= room / entry / 2) return true;
  // Rows at regular distances.
  const context_pointer owner = context.shared_from_this();
  cancel_watch watch(owner);
  row_computer computer(context, p);
  std::uint64_t bounds = 0, found = 0;
  const std::size_t step = p.rows / sampled_rows + 1;
  for (std::size_t row = step / 2; row < p.rows; row += step) {
    watch.check();
    bounds += p.bound(row);
    found += computer.count(row);
  }
  const double share = static_cast<double>(found + 1) / static_cast<double>(bounds + 1);
  return static_cast<double>(max_entries) * share * 1.5 * 2 * static_cast<double>(entry) <=
         static_cast<double>(room);
}

matrix_base shell_of(const memory_side& here, const prepared_mxm& p) {
  return matrix_shell(here, p.semiring().z(), static_cast<index_t>(p.rows),
                      static_cast<index_t>(p.columns));
}

matrix_base multiply_once(const memory_side& here, context_state& context, const prepared_mxm& p) {
  const std::size_t parts = p.part.size() - 1, bytes = p.semiring().z().size;
  matrix_base result = shell_of(here, p);
  const buffer_pointer lengths = here.allocate(p.rows, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  std::vector<std::vector<row_block>> blocks(parts);
  for_parts(context, p, [&](std::size_t part, row_computer& computer) {
    blocks[part] = collect(context, p, part, computer, length);
  });
  lay_out(here, result, lengths);
  const offsets_view offsets{here.read(result.offsets), result.wide};
  auto* columns = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = here.write_as<std::byte>(result.values);
  for_blocks(here.threads(), parts, [&](std::size_t part) {
    for (row_block& from : blocks[part]) {
      if (from.count == 0) continue;
      const std::size_t at = offsets[from.first_row];
      std::memcpy(columns + at, from.columns.as<>(), from.count * sizeof(std::uint32_t));
      std::memcpy(values + at * bytes, from.values.as<>(), from.count * bytes);
      from = {};
    }
  });
  return result;
}

matrix_base multiply_twice(const memory_side& here, context_state& context, const prepared_mxm& p) {
  const std::size_t bytes = p.semiring().z().size;
  matrix_base result = shell_of(here, p);
  const buffer_pointer lengths = here.allocate(p.rows, sizeof(std::uint64_t));
  auto* length = here.write_as<std::uint64_t>(lengths);
  for_parts(context, p, [&](std::size_t part, row_computer& computer) {
    for (std::size_t row = p.part[part]; row < p.part[part + 1]; ++row)
      length[row] = computer.count(row);
  });
  lay_out(here, result, lengths);
  const offsets_view offsets{here.read(result.offsets), result.wide};
  auto* columns = here.write_as<std::uint32_t>(result.column_indices);
  auto* values = here.write_as<std::byte>(result.values);
  for_parts(context, p, [&](std::size_t part, row_computer& computer) {
    for (std::size_t row = p.part[part]; row < p.part[part + 1]; ++row) {
      const std::size_t at = offsets[row];
      computer.compute(row, {columns + at, values + at * bytes});
    }
  });
  return result;
}

matrix_base multiply(const memory_side& here, context_state& context, const prepared_mxm& p) {
  if (fits_twice(context, p)) {
    try {
      return multiply_once(here, context, p);
    } catch (const out_of_memory&) {  // the sample was not typical
      context.log("mxm: no memory for the rows beside the result; they are computed twice");
    }
  }
  return multiply_twice(here, context, p);
}

// Returns compute(). If it does not fit the memory that the bitmaps of rows leave, it runs once
// more without them.
template <class Compute>
auto with_bitmaps_if_they_fit(context_state& context, prepared_mxm& p, const Compute& compute) {
  try {
    return compute();
  } catch (const out_of_memory&) {
    if (p.bitmaps.bytes() == 0) throw;
  }
  p.bitmaps = row_bitmaps();  // clang 14 links no destructor for {}
  context.log("mxm: no memory for the product beside bitmaps of rows; it is computed without them");
  return compute();
}

// Integers wrap as their sums do, so that the order of the counts does not matter.
bool sum_all_counts(context_state& context, const prepared_mxm& p, const monoid_description& monoid,
                    void* result) {
  std::atomic<std::uint64_t> all{0};
  for_parts(context, p, [&](std::size_t part, row_computer& computer) {
    all.fetch_add(computer.sum_of_counts(p.part[part], p.part[part + 1]),
                  std::memory_order_relaxed);
  });
  const std::uint64_t count = all;
  if (count == 0) return false;
  with_builtin_type(monoid.add.z->code, [&]<class Z>() {
    const Z sum = static_cast<Z>(count);
    std::memcpy(result, &sum, sizeof sum);
  });
  return true;
}

// Each row is summed by itself, and then the sums of the rows that have entries, both in blocks of
// fixed size. Parts depend on the method, and that on whether a transpose is kept: they must not
// show in the order of a rounded sum.
bool sum_all_rows(context_state& context, const prepared_mxm& p, const monoid_description& monoid,
                  void* result) {
  if (p.counts && adds_integers(monoid)) return sum_all_counts(context, p, monoid, result);
  const summer sum(monoid);
  const std::size_t parts = p.part.size() - 1, bytes = sum.bytes;
  std::vector<std::size_t> first(parts + 1, 0), found(parts, 0);  // sums of rows, by part
  for_blocks(context.threads(), parts, [&](std::size_t part) {
    for (std::size_t row = p.part[part]; row < p.part[part + 1]; ++row)
      first[part + 1] += p.bound(row) > 0;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  const counted_memory sums(context, first.back() * bytes);
  for_parts(context, p, [&](std::size_t part, row_computer& computer) {
    std::size_t longest = 0;
    for (std::size_t row = p.part[part]; row < p.part[part + 1]; ++row)
      longest = std::max(longest, p.bound(row));
    const counted_memory columns(context, longest * sizeof(std::uint32_t));
    const counted_memory values(context, longest * bytes);
    std::byte* const to = sums.as<>() + first[part] * bytes;
    std::size_t rows = 0;
    for (std::size_t row = p.part[part]; row < p.part[part + 1]; ++row) {
      const std::size_t count = computer.compute(row, {columns.as<std::uint32_t>(), values.as<>()});
      if (count == 0) continue;
      sum.sum_blocks(to + rows++ * bytes, values.as<>(), count);
    }
    found[part] = rows;
  });
  std::size_t rows = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    if (found[part] > 0 && rows != first[part])
      std::memmove(sums.as<>() + rows * bytes, sums.as<>() + first[part] * bytes,
                   found[part] * bytes);
    rows += found[part];
  }
  if (rows == 0) return false;
  const std::size_t blocks = (rows + summer::block_size - 1) / summer::block_size;
  const counted_memory of_blocks(context, blocks * bytes);
  for_blocks(context.threads(), blocks, [&](std::size_t block) {
    const std::size_t begin = block * summer::block_size;
    sum.sum_block(of_blocks.as<>() + block * bytes, sums.as<>() + begin * bytes,
                  std::min(summer::block_size, rows - begin));
  });
  alignas(64) std::byte total[summer::widest];
  std::memcpy(total, of_blocks.as<>(), bytes);
  for (std::size_t block = 1; block < blocks; ++block)
    sum.combine(total, total, of_blocks.as<>() + block * bytes, 1);
  std::memcpy(result, total, bytes);
  return true;
}

}  // namespace

matrix_base multiply_rows(const memory_side& here, context_state& context, prepared_mxm& p) {
  return with_bitmaps_if_they_fit(context, p, [&] { return multiply(here, context, p); });
}

bool sum_of_rows(context_state& context, prepared_mxm& p, const monoid_description& monoid,
                 void* result) {
  return with_bitmaps_if_they_fit(context, p,
                                  [&] { return sum_all_rows(context, p, monoid, result); });
}

}  // namespace tropic::detail::on_cpu
