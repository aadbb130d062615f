// SPDX-License-Identifier: Apache-2.0

// The kernels of cpu/spmm_kernels.hpp through the bulk functions of the semiring's operators: an
// entry of A times a block of columns at a time. Products are added in the same order.

#include "backends/cpu/spmm/evaluated.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/cpu/elements.hpp"

namespace tropic::detail {

namespace {

constexpr std::size_t block = 64;   // columns
constexpr std::size_t widest = 64;  // bytes of a value

// One row of C, a block of columns at a time.
class block_sums {
 public:
  block_sums(const spmm_arguments& arguments, bool first)
      : arguments_(arguments),
        semiring_(*arguments.semiring),
        first_(first),
        a_bytes_((first ? semiring_.x() : semiring_.a()).size),
        b_bytes_((first ? semiring_.a() : semiring_.x()).size),
        z_bytes_(semiring_.z().size) {}

  /// Sums of columns [begin, begin + count) of a row; returns how many positions have one.
  std::size_t sum(std::size_t row, std::size_t begin, std::size_t count) {
    std::memset(has_, 0, count);
    for (std::size_t e = arguments_.a.offset(row), end = arguments_.a.offset(row + 1); e < end;
         ++e) {
      const std::size_t k = arguments_.a.columns[e];
      if (arguments_.b_present != nullptr && arguments_.b_rows[k] == 0) continue;
      const std::size_t found = choose(k, begin, count);
      if (found == 0) continue;
      multiply(e, row, k, begin, found);
      add(found);
    }
    return static_cast<std::size_t>(std::count(has_, has_ + count, std::uint8_t{1}));
  }
  const std::byte* sums() const { return sums_; }
  const std::uint8_t* has() const { return has_; }
  std::size_t z_bytes() const { return z_bytes_; }

 private:
  // The columns of the block at which row k of B has an entry.
  std::size_t choose(std::size_t k, std::size_t begin, std::size_t count) {
    if (arguments_.b_present == nullptr) {
      std::iota(at_, at_ + count, std::uint32_t{0});
      return count;
    }
    const std::uint8_t* const present = arguments_.b_present + k * arguments_.columns + begin;
    std::size_t found = 0;
    for (std::size_t j = 0; j < count; ++j) {
      at_[found] = static_cast<std::uint32_t>(j);
      found += present[j] != 0;
    }
    return found;
  }
  void multiply(std::size_t e, std::size_t row, std::size_t k, std::size_t begin,
                std::size_t found) {
    const std::byte* const a =
        static_cast<const std::byte*>(arguments_.a.values) + (arguments_.a.iso ? 0 : e) * a_bytes_;
    const std::byte* const b =
        static_cast<const std::byte*>(arguments_.b) + (k * arguments_.leading + begin) * b_bytes_;
    on_cpu::gather(b_, b, at_, found, b_bytes_);
    for (std::size_t n = 0; n < found; ++n) {
      const auto column = static_cast<index_t>(begin + at_[n]);
      i_[n] = first_ ? column : static_cast<index_t>(row);
      j_[n] = first_ ? static_cast<index_t>(row) : column;
      k_[n] = static_cast<index_t>(k);
    }
    semiring_.multiply({.z = products_,
                        .x = first_ ? b_ : a,
                        .y = first_ ? a : b_,
                        .count = found,
                        .x_scalar = !first_,
                        .y_scalar = first_,
                        .i = i_,
                        .k = k_,
                        .j = j_});
  }
  // A position's first product is its sum; those after it are added.
  void add(std::size_t found) {
    std::uint32_t to_add[block];
    std::size_t repeated = 0;
    for (std::size_t n = 0; n < found; ++n) {
      const std::uint32_t j = at_[n];
      if (has_[j] == 0) {
        std::memcpy(sums_ + j * z_bytes_, products_ + n * z_bytes_, z_bytes_);
        has_[j] = 1;
      } else {
        if (repeated < n)
          std::memcpy(products_ + repeated * z_bytes_, products_ + n * z_bytes_, z_bytes_);
        to_add[repeated++] = j;
      }
    }
    if (repeated == 0 || semiring_.exits_at_first_product) return;
    on_cpu::gather(old_, sums_, to_add, repeated, z_bytes_);
    semiring_.add.add({.z = old_, .x = old_, .y = products_, .count = repeated});
    on_cpu::scatter(sums_, to_add, old_, repeated, z_bytes_);
  }

  const spmm_arguments& arguments_;
  const semiring_description& semiring_;
  const bool first_;
  const std::size_t a_bytes_, b_bytes_, z_bytes_;
  std::uint32_t at_[block];
  std::uint8_t has_[block];
  index_t i_[block], k_[block], j_[block];
  alignas(64) std::byte b_[block * widest], products_[block * widest], old_[block * widest],
      sums_[block * widest];
};

template <bool First>
std::size_t rows(const spmm_arguments& arguments, std::size_t begin, std::size_t end,
                 std::size_t first, std::size_t last) {
  block_sums sums(arguments, First);
  std::size_t total = 0;
  for (std::size_t row = begin; row < end; ++row)
    for (std::size_t column = first; column < last; column += block) {
      const std::size_t count = std::min(block, last - column),
                        at = row * arguments.columns + column, bytes = sums.z_bytes();
      total += sums.sum(row, column, count);
      auto* const to = static_cast<std::byte*>(arguments.c) + at * bytes;
      for (std::size_t j = 0; j < count; ++j)
        if (sums.has()[j] != 0) std::memcpy(to + j * bytes, sums.sums() + j * bytes, bytes);
      if (arguments.c_present != nullptr) std::memcpy(arguments.c_present + at, sums.has(), count);
    }
  return total;
}

}  // namespace

const cpu_spmm_kernel_table evaluated_spmm_kernels = {
    {rows<false>, rows<true>}, {rows<false>, rows<true>}, false};

}  // namespace tropic::detail
