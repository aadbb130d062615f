// SPDX-License-Identifier: Apache-2.0

// Sums over a monoid (GraphBLAS C API 2.0, 4.3.10). The operator runs over arrays, so an array is
// summed by repeated halving: its second half is added to its first half, in blocks of fixed size
// whose sums are summed in turn. Blocks depend only on the number of entries: floating-point sums
// are the same for any number of threads.
//
// Rows: long ones by halving (very long ones by all threads together), short ones side by side, the
// k-th entry of each into that row's sum. The value of an iso array is summed by doubling. Columns
// are the rows of the transpose, which is kept with the matrix.

#include <numeric>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/matrices/rows.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/summer.hpp"
#include "backends/cpu/vectors/conversions.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

constexpr std::size_t widest = summer::widest;
constexpr std::size_t short_row = 8;
constexpr std::size_t shared_row = 65536;  // longer rows are summed by all threads

// The sum of `count` elements, or of the present ones if flags are given. False if there are none.
bool sum_all(const memory_side& here, const summer& sum, std::byte* to, const std::byte* from,
             const std::uint8_t* present, std::size_t count) {
  const std::size_t blocks = (count + block_size - 1) / block_size, bytes = sum.bytes;
  const buffer_pointer sums = here.allocate(blocks, bytes), found = here.allocate(blocks, 1);
  auto* partial = here.write_as<std::byte>(sums);
  auto* has = here.write_as<std::uint8_t>(found);
  for_chunks(here.threads(), count, [&](std::size_t chunk_begin, std::size_t chunk_end) {
    for (std::size_t begin = chunk_begin; begin < chunk_end; begin += block_size) {
      const std::size_t end = std::min(chunk_end, begin + block_size), block = begin / block_size;
      has[block] = sum.sum_present(partial + block * bytes, from, present, begin, end);
    }
  });
  return sum.combine_blocks(to, partial, has, blocks);
}

class row_summer {
 public:
  row_summer(const summer& sum, const matrix_view& a, std::byte* to) : sum_(sum), a_(a), to_(to) {
    if (!a.iso || a.nnz == 0) return;
    std::memcpy(copies_, a.values, sum.bytes);
    for (std::size_t n = 1; n < tabulated; ++n)
      sum.combine(copies_ + n * sum.bytes, copies_ + (n - 1) * sum.bytes, copies_, 1);
  }

  void operator()(std::size_t begin, std::size_t end) const {
    const std::size_t bytes = sum_.bytes;
    if (a_.iso) {
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t length = a_.offsets[row + 1] - a_.offsets[row];
        if (length > tabulated)
          sum_.sum_copies(to_ + row * bytes, a_.values, length);
        else if (length > 0)
          std::memcpy(to_ + row * bytes, copies_ + (length - 1) * bytes, bytes);
      }
      return;
    }
    entry_batch batch(sum_.add, {to_, bytes, false}, {a_.values, bytes, false}, to_);
    for (std::size_t first = begin; first < end; first += entry_batch::capacity)
      side_by_side(first, std::min(end, first + entry_batch::capacity), batch);
  }

 private:
  static constexpr std::size_t tabulated = 64;

  void side_by_side(std::size_t begin, std::size_t end, entry_batch& batch) const {
    std::size_t active[entry_batch::capacity], count = 0;
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t from = a_.offsets[row], length = a_.offsets[row + 1] - from;
      if (length > shared_row) continue;
      if (length > short_row)
        sum_.sum_blocks(to_ + row * sum_.bytes, a_.values + from * sum_.bytes, length);
      else if (length > 0)
        std::memcpy(to_ + row * sum_.bytes, a_.values + from * sum_.bytes, sum_.bytes);
      if (length > 1 && length <= short_row) active[count++] = row;
    }
    for (std::size_t k = 1; count > 0; ++k) {
      std::size_t left = 0;
      for (std::size_t n = 0; n < count; ++n) {
        const std::size_t row = active[n], from = a_.offsets[row];
        batch.add(row, from + k, row, row);
        if (from + k + 1 < a_.offsets[row + 1]) active[left++] = row;
      }
      batch.flush();
      count = left;
    }
  }

  const summer& sum_;
  const matrix_view& a_;
  std::byte* to_;
  alignas(64) std::byte copies_[tabulated * widest];  // the sums of 1, 2, ... copies
};

vector_base sum_rows(const memory_side& here, const monoid_description& monoid,
                     const matrix_base& a) {
  const matrix_view from(here, a);
  const summer sum(monoid);
  vector_base result = shell(here, *monoid.add.z, a.rows);
  result.values = here.allocate(from.rows, sum.bytes);
  result.present = here.allocate(from.rows, 1);
  result.storage = vector_storage::bitmap;
  auto* to = here.write_as<std::byte>(result.values);
  auto* present = here.write_as<std::uint8_t>(result.present);
  result.nvals = static_cast<index_t>(
      sum_over_chunks(here.threads(), from.rows, [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t row = begin; row < end; ++row)
          count += present[row] = from.offsets[row] < from.offsets[row + 1];
        return count;
      }));
  const row_summer rows(sum, from, to);
  const row_blocks blocks(from);
  for_blocks(here.threads(), blocks.count(),
             [&](std::size_t block) { rows(blocks.begin(block), blocks.begin(block + 1)); });
  if (!from.iso && as_size(a.longest_row) > shared_row)
    for (std::size_t row = 0; row < from.rows; ++row) {
      const std::size_t first = from.offsets[row], length = from.offsets[row + 1] - first;
      if (length > shared_row)
        sum_all(here, sum, to + row * sum.bytes, from.values + first * sum.bytes, nullptr, length);
    }
  return result;
}

}  // namespace

void cpu_backend::reduce(vector_base& w, const monoid_description& monoid, const matrix_base& a,
                         bool transposed, const vector_rule& rule) {
  const memory_side here(context_, on_host_);
  if (a.nnz == 0) return write_back(w, no_entries(here, *w.type, w.size), rule);
  const std::shared_ptr<const matrix_base> columns = transposed ? transpose_of(a) : nullptr;
  write_back(w, sum_rows(here, monoid, columns ? *columns : a), rule);
}

bool cpu_backend::reduce(void* result, const monoid_description& monoid, const vector_base& u) {
  const memory_side here(context_, on_host_);
  const vector_view from(here, u);
  const std::size_t count = from.is_sparse() ? from.nvals : from.size;
  alignas(64) std::byte sum[widest];
  const bool any = from.nvals > 0 && sum_all(here, summer(monoid), sum, from.values,
                                             from.is_sparse() ? nullptr : from.present, count);
  std::memcpy(result, any ? sum : monoid.identity.data(), monoid.add.z->size);
  return any;
}

bool cpu_backend::reduce(void* result, const monoid_description& monoid, const matrix_base& a) {
  const memory_side here(context_, on_host_);
  const matrix_view from(here, a);
  const summer sum(monoid);
  alignas(64) std::byte total[widest];
  if (from.nnz > 0 && from.iso)
    sum.sum_copies(total, from.values, from.nnz);
  else if (from.nnz > 0)
    sum_all(here, sum, total, from.values, nullptr, from.nnz);
  std::memcpy(result, from.nnz > 0 ? total : monoid.identity.data(), sum.bytes);
  return from.nnz > 0;
}

}  // namespace tropic::detail
