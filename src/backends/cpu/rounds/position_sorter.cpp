// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/rounds/position_sorter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <tropic/error.hpp>

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t few = 24;

void sort_by_insertion(std::uint32_t* positions, std::size_t count) {
  for (std::size_t n = 1; n < count; ++n) {
    const std::uint32_t position = positions[n];
    std::size_t at = n;
    for (; at > 0 && positions[at - 1] > position; --at) positions[at] = positions[at - 1];
    positions[at] = position;
  }
}

// Writes 64 word + the bits of `bits`, ascending, to [to, end); returns the end of them. The first
// ones without branches by their number, which could not be predicted.
std::uint32_t* write_bits(std::uint32_t* to, const std::uint32_t* end, std::size_t word,
                          std::uint64_t bits) {
  constexpr int at_once = 4;
  constexpr std::uint64_t last = std::uint64_t{1} << 63;  // countr_zero of no bits would branch
  if (end - to >= at_once)
    for (int n = 0; n < at_once; ++n) {
      *to = static_cast<std::uint32_t>(64 * word +
                                       static_cast<std::size_t>(std::countr_zero(bits | last)));
      to += bits != 0;
      bits &= bits - 1;
    }
  for (; bits != 0; bits &= bits - 1)
    *to++ =
        static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(bits)));
  return to;
}

}  // namespace

// False where memory is short: callers may be in a parallel region, which no exception may leave.
bool position_sorter::has_bits_for(std::size_t n) try {
  for (const auto& [memory, words] : {std::pair(&words_, n / 4096 + 1), {&bits_, n / 64 + 1}}) {
    if (memory->bytes() >= words * sizeof(std::uint64_t)) continue;
    *memory = {};
    *memory = counted_memory(context_, words * sizeof(std::uint64_t));
    std::memset(memory->as<>(), 0, memory->bytes());
  }
  return true;
} catch (const out_of_memory&) {
  return false;
}

void position_sorter::sort(std::uint32_t* positions, std::size_t count, std::size_t n) {
  if (count <= few) return sort_by_insertion(positions, count);
  if (n / 4096 > 4 * count) return std::sort(positions, positions + count);
  if (!has_bits_for(n)) return std::sort(positions, positions + count);
  auto* const all_bits = bits_.as<std::uint64_t>();
  auto* const all_words = words_.as<std::uint64_t>();
  for (std::size_t m = 0; m < count; ++m) {
    const std::size_t word = positions[m] / 64;
    all_bits[word] |= std::uint64_t{1} << positions[m] % 64;
    all_words[word / 64] |= std::uint64_t{1} << word % 64;
  }
  std::uint32_t* to = positions;
  for (std::size_t high = 0; high <= n / 4096; ++high) {
    for (std::uint64_t words = all_words[high]; words != 0; words &= words - 1) {
      const std::size_t word = high * 64 + static_cast<std::size_t>(std::countr_zero(words));
      to = write_bits(to, positions + count, word, std::exchange(all_bits[word], 0));
    }
    all_words[high] = 0;
  }
}

}  // namespace tropic::detail::on_cpu
