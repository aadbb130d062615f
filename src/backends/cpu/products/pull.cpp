// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/products/pull.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/row_cuts.hpp"
#include "containers/derived_copies.hpp"
#include "containers/integers.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t part_weight = 1 << 14;  // rows + entries of one part
// Parts that a thread takes together where only the lengths of rows are read.
constexpr std::size_t parts_by_lengths = 32;

// Combines the pieces of a long row in order.
bool join(const operator_description& add, std::size_t bytes, std::span<const std::byte> sums,
          std::span<const std::uint8_t> found, void* result) {
  bool any = false;
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (!found[p]) continue;
    const std::byte* sum = sums.data() + p * bytes;
    if (any)
      add({.z = result, .x = result, .y = sum, .count = 1});
    else
      std::memcpy(result, sum, bytes);
    any = true;
  }
  return any;
}

// Arguments for entries up to `end`: without prefetches if those would read past the columns. (A
// sparse_input, which has more than product_arguments, has no prefetches.)
class arguments_by_end {
 public:
  explicit arguments_by_end(const pull_task& task) : usual_(task.arguments), on_demand_(usual_) {
    on_demand_.prefetches = false;
    last_ = as_size(task.m.nnz);
  }
  const product_arguments& operator()(std::size_t end) const {
    return usual_.prefetches && last_ - end < cpu::prefetch_distance + cpu::read_ahead ? on_demand_
                                                                                       : usual_;
  }

 private:
  const product_arguments& usual_;
  product_arguments on_demand_;
  std::size_t last_;
};

// The first rows of the parts, and the number of rows behind them. Kept with the matrix: the
// searches take as long as products that read no columns.
std::shared_ptr<const std::vector<std::size_t>> cuts_of(const pull_task& task) {
  derived_copies& kept = *task.m.derived;
  const std::unique_lock lock(kept.mutex, std::try_to_lock);  // held while a transpose is built
  if (lock && kept.pull_cuts) return kept.pull_cuts;
  const std::size_t rows = as_size(task.m.rows), weight = rows + as_size(task.m.nnz);
  const std::size_t parts = weight / part_weight + 1;
  auto cuts = std::make_shared<std::vector<std::size_t>>(parts + 1, rows);
  for (std::size_t part = 0; part < parts; ++part)
    (*cuts)[part] = row_at(task.arguments, rows, weight * part / parts);
  if (lock) kept.pull_cuts = cuts;
  return cuts;
}

bool sum_long_row(const pull_task& task, const arguments_by_end& arguments_to, std::size_t row) {
  const product_arguments& arguments = task.arguments;
  if (arguments.skip && arguments.skip[row]) {
    arguments.w_present[row] = 0;
    return false;
  }
  const auto sum_piece = task.kernels.piece;
  const std::size_t bytes = task.p.semiring.z().size;
  const std::size_t begin = arguments.offset(row), end = arguments.offset(row + 1);
  const std::size_t pieces = (end - begin + part_weight - 1) / part_weight;
  std::vector<std::byte> sums(pieces * bytes);
  std::vector<std::uint8_t> found(pieces);
#pragma omp parallel for num_threads(task.threads) schedule(dynamic, 1) if (task.threads > 1)
  for (std::size_t n = 0; n < pieces; ++n) {
    alignas(16) std::byte sum[64];
    const std::size_t first = begin + n * part_weight, last = std::min(end, first + part_weight);
    found[n] = sum_piece(arguments_to(last), row, first, last, sum);
    std::memcpy(sums.data() + n * bytes, sum, bytes);
  }
  alignas(16) std::byte sum[64];
  const bool any = join(task.p.semiring.add.add, bytes, sums, found, sum);
  if (any) std::memcpy(static_cast<std::byte*>(arguments.w) + row * bytes, sum, bytes);
  if (arguments.w_present) arguments.w_present[row] = any;
  return any;
}

}  // namespace

std::size_t pull(const pull_task& task, const rows_done& done) {
  const product_arguments& arguments = task.arguments;
  const auto run = arguments.u_present ? task.kernels.bitmap : task.kernels.full;
  const std::size_t rows = as_size(task.m.rows);
  const auto cuts = cuts_of(task);
  const arguments_by_end arguments_to(task);
  const std::size_t longest = as_size(task.m.longest_row);
  const bool by_lengths =
      run == task.kernels.full && task.kernels.by_lengths != nullptr &&
      task.kernels.by_lengths(arguments, parts_by_lengths * part_weight + longest);
  const std::size_t together = by_lengths ? parts_by_lengths : 1;
  const std::size_t last_cut = cuts->size() - 1, parts = (last_cut + together - 1) / together;
  const bool has_long = !by_lengths && longest > 2 * part_weight;
  // Of the rows of a part, only the last one can be longer than a part. Where it is, that row.
  std::vector<std::size_t> long_row(has_long ? parts : 0, rows);
  const auto ends_long = [&](std::size_t begin, std::size_t end) {
    return has_long && begin < end &&
           arguments.offset(end) - arguments.offset(end - 1) > 2 * part_weight;
  };
  const auto sum_rows = [&](const product_arguments& of_part, std::size_t begin, std::size_t end) {
    const std::size_t found = run(of_part, begin, end);
    if (done) done(begin, end);
    return found;
  };
  std::size_t count = sum_over_blocks(task.threads, parts, [&](std::size_t part) {
    const std::size_t begin = (*cuts)[part * together];
    std::size_t end = (*cuts)[std::min(last_cut, (part + 1) * together)];
    const product_arguments& of_part = arguments_to(arguments.offset(end));
    if (ends_long(begin, end)) long_row[part] = --end;
    return begin < end ? sum_rows(of_part, begin, end) : 0;
  });
  for (const std::size_t row : long_row) {
    if (row == rows) continue;
    count += sum_long_row(task, arguments_to, row);
    if (done) done(row, row + 1);
  }
  return count;
}

}  // namespace tropic::detail::on_cpu
