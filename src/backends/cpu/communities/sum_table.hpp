// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums by number, of one thread: a hash table with open addressing (Knuth, "The Art of Computer
// Programming", volume 3, section 6.4, algorithm L), at most half full, and a list of the slots in
// use. It takes only as many slots as the sums at hand may need, so that short rows stay in the
// nearest cache.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "backends/cpu/counted_memory.hpp"

namespace tropic::detail::on_cpu {

class sum_table {
 public:
  struct slot {
    std::uint64_t sum;
    std::uint32_t number, used;
  };

  sum_table() = default;
  /// For up to `max_numbers` different numbers.
  sum_table(context_state& context, std::size_t max_numbers)
      : slots_(context, slots_for(max_numbers) * sizeof(slot)),
        used_(context, std::max<std::size_t>(max_numbers, 1) * sizeof(std::uint32_t)) {
    std::fill_n(slots_.as<slot>(), slots_for(max_numbers), slot{});
  }

  /// Empties it, for up to `max_numbers` different numbers.
  void begin(std::size_t max_numbers) {
    for (std::size_t n = 0; n < count_; ++n) slots_.as<slot>()[used_.as<std::uint32_t>()[n]] = {};
    count_ = 0;
    const int bits = std::countr_zero(slots_for(max_numbers));
    shift_ = 32 - bits;
    mask_ = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
  }
  void add(std::uint32_t number, std::uint64_t value) {
    slot* const slots = slots_.as<slot>();
    const std::uint32_t place = find(number);
    if (slots[place].used == 0) {
      slots[place] = {0, number, 1};
      used_.as<std::uint32_t>()[count_++] = place;
    }
    slots[place].sum += value;
  }
  std::uint64_t sum_of(std::uint32_t number) const { return slots_.as<slot>()[find(number)].sum; }
  std::size_t count() const { return count_; }
  const slot& operator[](std::size_t n) const {
    return slots_.as<slot>()[used_.as<std::uint32_t>()[n]];
  }

 private:
  // At least two, at most 2^32.
  static std::size_t slots_for(std::size_t max_numbers) {
    return std::min(std::bit_ceil(2 * std::max<std::size_t>(max_numbers, 1)), std::size_t{1} << 32);
  }
  std::uint32_t find(std::uint32_t number) const {
    const slot* const slots = slots_.as<slot>();
    std::uint32_t place = static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(number * 2654435769U) >> static_cast<unsigned>(shift_));
    while (slots[place].used != 0 && slots[place].number != number) place = (place + 1) & mask_;
    return place;
  }

  counted_memory slots_, used_;
  std::size_t count_ = 0;
  int shift_ = 31;
  std::uint32_t mask_ = 1;
};

}  // namespace tropic::detail::on_cpu
