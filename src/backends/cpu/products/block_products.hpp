// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks of products for the kernels of evaluated_kernels.cpp: operands are gathered, multiplied at
// once by the bulk function of the multiply, and added to the outputs in the order of the entries.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/detail/cpu/kernel_arguments.hpp>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/products/gather_ahead.hpp"
#include "backends/cpu/products/known_sums.hpp"

namespace tropic::detail::on_cpu {

inline constexpr std::size_t most_products = 512;       // of one block
inline constexpr std::size_t operand_bytes = 8 * 1024;  // of one operand's values in a block

/// Adds the products of blocks to the outputs.
class block_sums {
 public:
  block_sums(const operator_description& add, void* w, std::uint8_t* present)
      : add_(add),
        known_(known_sum(add)),
        w_(static_cast<std::byte*>(w)),
        present_(present),
        bytes_(add.z->size) {}

  // As sum_functions::segments.
  std::size_t segments(const std::uint32_t* row, const std::uint32_t* stop, std::size_t count,
                       const std::byte* products) const {
    if (known_ != nullptr) return known_->segments(w_, present_, row, stop, count, products);
    std::uint32_t active[most_products], next[most_products];
    std::size_t left = 0, found = 0;
    for (std::size_t n = 0; n < count; ++n) {
      std::uint32_t begin = n == 0 ? 0 : stop[n - 1];
      if (present_[row[n]] == 0) {
        std::memcpy(w_ + row[n] * bytes_, products + begin * bytes_, bytes_);
        present_[row[n]] = 1;
        ++found;
        ++begin;
      }
      next[n] = begin;
      if (begin < stop[n]) active[left++] = static_cast<std::uint32_t>(n);
    }
    while (left > 0) left = add_one_each(row, stop, products, active, next, left);
    return found;
  }

  // As sum_functions::scatter.
  std::size_t scatter(const std::uint32_t* target, std::size_t count, const std::byte* products,
                      std::uint32_t* touched) const {
    if (known_ != nullptr) return known_->scatter(w_, present_, target, count, products, touched);
    std::size_t found = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const std::uint32_t j = target[n];
      if (present_[j]) {
        add(w_ + j * bytes_, products + n * bytes_);
      } else {
        present_[j] = 1;
        std::memcpy(w_ + j * bytes_, products + n * bytes_, bytes_);
        touched[found++] = j;
      }
    }
    return found;
  }

  void add(void* sum, const void* value) const {
    add_({.z = sum, .x = sum, .y = value, .count = 1});
  }

 private:
  // Adds one product to each of the `left` segments that have more; returns how many have more yet.
  std::size_t add_one_each(const std::uint32_t* row, const std::uint32_t* stop,
                           const std::byte* products, std::uint32_t* active, std::uint32_t* next,
                           std::size_t left) const {
    alignas(64) std::byte sums[operand_bytes], values[operand_bytes];
    const std::size_t room = operand_bytes / bytes_;
    std::size_t remaining = 0;
    for (std::size_t begin = 0; begin < left; begin += room) {
      const std::size_t count = std::min(room, left - begin);
      std::uint32_t output[most_products], product[most_products];
      for (std::size_t n = 0; n < count; ++n) {
        output[n] = row[active[begin + n]];
        product[n] = next[active[begin + n]]++;
      }
      gather(sums, w_, output, count, bytes_);
      gather(values, products, product, count, bytes_);
      add_({.z = sums, .x = sums, .y = values, .count = count});
      scatter_values(output, sums, count);
      for (std::size_t n = 0; n < count; ++n) {
        const std::uint32_t segment = active[begin + n];
        if (next[segment] < stop[segment]) active[remaining++] = segment;
      }
    }
    return remaining;
  }
  void scatter_values(const std::uint32_t* output, const std::byte* sums, std::size_t count) const {
    on_cpu::scatter(w_, output, sums, count, bytes_);
  }

  const operator_description& add_;
  const sum_functions* known_;
  std::byte* w_;
  std::uint8_t* present_;
  std::size_t bytes_;
};

/// The products of up to `capacity()` entries.
class block_of_products {
 public:
  block_of_products(const product_arguments& arguments, bool first)
      : arguments_(arguments),
        semiring_(*arguments.semiring),
        first_(first),
        syntax_(*semiring_.multiply.syntax),
        uses_matrix_(first ? syntax_.uses_y : syntax_.uses_x),
        uses_vector_(first ? syntax_.uses_x : syntax_.uses_y),
        uses_output_(first ? syntax_.uses_j : syntax_.uses_i),
        a_bytes_((first ? semiring_.x() : semiring_.a()).size),
        u_bytes_((first ? semiring_.a() : semiring_.x()).size),
        z_bytes_(semiring_.z().size),
        capacity_(
            std::min(most_products, operand_bytes / std::max({a_bytes_, u_bytes_, z_bytes_}))) {}
  block_of_products(const block_of_products&) = delete;
  block_of_products& operator=(const block_of_products&) = delete;

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return count_; }
  std::size_t room() const { return capacity_ - count_; }
  const std::byte* products() const { return z_; }
  std::size_t z_bytes() const { return z_bytes_; }
  const std::uint32_t* outputs() const { return output_; }

  /// One more entry: number `e` of the matrix, times element `element` of u, for position `out` of
  /// the output; `inner` is summed over. There must be room.
  void add(std::size_t e, std::uint32_t element, std::uint32_t out, std::uint32_t inner) {
    entry_[count_] = e;
    element_[count_] = element;
    output_[count_] = out;
    inner_[count_++] = inner;
  }
  /// Multiplies what was added. The block is empty afterwards; its products stay.
  std::size_t multiply() {
    const std::byte* a = static_cast<const std::byte*>(arguments_.a);
    if (uses_matrix_ && !arguments_.a_iso) {
      gather(a_, a, entry_, count_, a_bytes_);
      a = a_;
    }
    const std::size_t count = count_;
    if (uses_vector_)
      gather(u_, static_cast<const std::byte*>(arguments_.u), element_, count, u_bytes_);
    run(a, inner_, count);
    count_ = 0;
    return count;
  }
  /// Multiplies `count` <= capacity() consecutive entries with a full u. set_outputs comes first if
  /// needs_outputs().
  void multiply_run(std::size_t e, std::size_t count) {
    const auto* a = static_cast<const std::byte*>(arguments_.a);
    const std::uint32_t* columns = arguments_.columns + e;
    const bool has_values = uses_matrix_ && !arguments_.a_iso;
    if (has_values) a += e * a_bytes_;
    if (uses_vector_)
      gather_ahead(u_, static_cast<const std::byte*>(arguments_.u), columns, count, u_bytes_,
                   most_products, has_values ? a : nullptr, a_bytes_);
    run(a, columns, count);
  }
  bool needs_outputs() const { return uses_output_; }
  void set_outputs(std::size_t begin, std::size_t end, std::uint32_t out) {
    std::fill(output_ + begin, output_ + end, out);
  }

 private:
  void run(const std::byte* a, const std::uint32_t* inner, std::size_t count) {
    if (syntax_.uses_k) std::copy(inner, inner + count, k_);
    if (uses_output_) std::copy(output_, output_ + count, out_);
    semiring_.multiply({.z = z_,
                        .x = first_ ? u_ : a,
                        .y = first_ ? a : u_,
                        .count = count,
                        .x_scalar = !first_ && arguments_.a_iso,
                        .y_scalar = first_ && arguments_.a_iso,
                        .i = first_ ? zeros : out_,
                        .k = k_,
                        .j = first_ ? out_ : zeros});
  }

  static constexpr index_t zeros[most_products] = {};

  const product_arguments& arguments_;
  const semiring_description& semiring_;
  const bool first_;
  const expression::tree& syntax_;
  const bool uses_matrix_, uses_vector_, uses_output_;
  const std::size_t a_bytes_, u_bytes_, z_bytes_, capacity_;
  std::size_t count_ = 0;
  std::size_t entry_[most_products];
  std::uint32_t element_[most_products], output_[most_products], inner_[most_products];
  index_t k_[most_products], out_[most_products];
  alignas(64) std::byte a_[operand_bytes], u_[operand_bytes], z_[operand_bytes];
};

}  // namespace tropic::detail::on_cpu
