// SPDX-License-Identifier: Apache-2.0

// The kernels of cpu/mxm_kernels.hpp through the bulk functions of the semiring's operators, a
// block of products at a time. Products are added in the same order.

#include "backends/cpu/mxm/evaluated.hpp"

#include <algorithm>
#include <cstring>

namespace tropic::detail {

namespace {

class evaluation {
 public:
  explicit evaluation(const mxm_arguments& arguments)
      : arguments_(arguments),
        semiring_(*arguments.semiring),
        a_bytes_(semiring_.a().size),
        b_bytes_(semiring_.x().size),
        z_bytes_(semiring_.z().size) {}

  static constexpr std::size_t block = 64;

  std::size_t z_bytes() const { return z_bytes_; }
  std::size_t count() const { return count_; }
  bool is_full() const { return count_ == block; }
  void clear() { count_ = 0; }
  /// The product of entry e of A and entry g of B is the next of the block.
  void gather(std::size_t e, std::size_t g, std::size_t i, std::size_t k, std::size_t j) {
    copy(a_, arguments_.a, e, a_bytes_);
    copy(b_, arguments_.b, g, b_bytes_);
    i_[count_] = static_cast<index_t>(i);
    k_[count_] = static_cast<index_t>(k);
    j_[count_] = static_cast<index_t>(j);
    ++count_;
  }
  void multiply() {
    if (count_ == 0) return;
    semiring_.multiply({.z = z_, .x = a_, .y = b_, .count = count_, .i = i_, .k = k_, .j = j_});
  }
  const std::byte* product(std::size_t n) const { return z_ + n * z_bytes_; }
  void add(void* sum, const void* value) const {
    semiring_.add.add({.z = sum, .x = sum, .y = value, .count = 1});
  }

 private:
  void copy(std::byte* to, const csr_arrays& from, std::size_t entry, std::size_t bytes) {
    std::memcpy(to + count_ * bytes,
                static_cast<const std::byte*>(from.values) + (from.iso ? 0 : entry) * bytes, bytes);
  }

  const mxm_arguments& arguments_;
  const semiring_description& semiring_;
  std::size_t a_bytes_, b_bytes_, z_bytes_, count_ = 0;
  alignas(16) std::byte a_[block * 64], b_[block * 64], z_[block * 64];
  index_t i_[block], k_[block], j_[block];
};

// By column, or by slot where the accumulator has keys.
std::size_t add_rows(const mxm_arguments& arguments, std::size_t row, mxm_accumulator& to) {
  evaluation products(arguments);
  const std::size_t bytes = products.z_bytes();
  auto* const sums = static_cast<std::byte*>(to.sums);
  const auto position_of = [&](std::uint32_t j) {
    if (to.keys == nullptr) return j;
    std::uint32_t slot = mxm_accumulator::hash(j) & to.slot_mask;
    while (to.states[slot] != mxm_state::empty && to.keys[slot] != j)
      slot = (slot + 1) & to.slot_mask;
    return slot;
  };
  std::size_t count = 0;
  for (std::size_t e = arguments.a.offset(row), end = arguments.a.offset(row + 1); e < end; ++e) {
    const std::size_t k = arguments.a.columns[e];
    const std::size_t stop = arguments.b.offset(k + 1);
    for (std::size_t g = arguments.b.offset(k); g < stop;) {
      // A position occurs once in a row of B, so that states do not change within a block but by
      // the block itself: they are read when the products are added.
      const std::size_t begin = g;
      products.clear();
      for (; g < stop && !products.is_full(); ++g)
        products.gather(e, g, row, k, arguments.b.columns[g]);
      products.multiply();
      for (std::size_t n = 0; n < products.count(); ++n) {
        const std::uint32_t j = arguments.b.columns[begin + n], at = position_of(j);
        std::byte* const sum = sums + at * bytes;
        if (to.states[at] == to.free) {
          std::memcpy(sum, products.product(n), bytes);
          to.states[at] = mxm_state::held;
          if (to.keys != nullptr) to.keys[at] = j;
          to.touched[count++] = at;
        } else if (to.states[at] == mxm_state::held) {
          products.add(sum, products.product(n));
        }
      }
    }
  }
  return count;
}

std::size_t inner(const mxm_arguments& arguments, std::size_t row, const mxm_places& to) {
  evaluation products(arguments);
  const std::size_t bytes = products.z_bytes();
  const std::size_t a_begin = arguments.a.offset(row), a_end = arguments.a.offset(row + 1);
  auto* const values = static_cast<std::byte*>(to.values);
  std::size_t count = 0;
  for (std::size_t n = arguments.mask.offset(row), stop = arguments.mask.offset(row + 1); n < stop;
       ++n) {
    const std::uint32_t j = arguments.mask.columns[n];
    std::byte* const sum = values + count * bytes;
    bool any = false;
    const auto add_up = [&] {
      products.multiply();
      for (std::size_t m = 0; m < products.count(); ++m) {
        if (any)
          products.add(sum, products.product(m));
        else
          std::memcpy(sum, products.product(m), bytes);
        any = true;
      }
      products.clear();
    };
    std::size_t e = a_begin, g = arguments.b.offset(j);
    const std::size_t g_end = arguments.b.offset(j + std::size_t{1});
    while (e < a_end && g < g_end) {
      const std::uint32_t k = arguments.a.columns[e], l = arguments.b.columns[g];
      if (k == l) {
        products.gather(e, g, row, k, j);
        if (products.is_full()) add_up();
      }
      e += k <= l;
      g += l <= k;
    }
    add_up();
    if (any) to.columns[count++] = j;
  }
  return count;
}

}  // namespace

const cpu_mxm_kernel_table evaluated_mxm_kernels = {add_rows, add_rows, add_rows, inner};

}  // namespace tropic::detail
