// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sorts lists of different positions below n: few by insertion; others through a bitmap of all
// positions with a second level, whose words are visited in order and cleared. O(count + n / 4096).
// Where memory is short, by comparison.

#include <cstddef>
#include <cstdint>

#include "backends/cpu/counted_memory.hpp"

namespace tropic::detail::on_cpu {

class position_sorter {
 public:
  explicit position_sorter(context_state& context) : context_(context) {}

  void sort(std::uint32_t* positions, std::size_t count, std::size_t n);
  std::size_t bytes() const { return bits_.bytes() + words_.bytes(); }

 private:
  bool has_bits_for(std::size_t n);

  context_state& context_;
  counted_memory bits_, words_;  // all zero between calls
};

}  // namespace tropic::detail::on_cpu
