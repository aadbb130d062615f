// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums of arrays over a monoid known only at run time, in an order that depends on the number of
// elements alone.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tropic/semirings/monoid.hpp>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail::on_cpu {

struct summer {
  static constexpr std::size_t block_size = 1024;  // entries summed by one thread at a time
  static constexpr std::size_t widest = sizeof(scalar_bytes);

  const operator_description& add;
  std::size_t bytes;
  explicit summer(const monoid_description& monoid) : add(monoid.add), bytes(monoid.add.z->size) {}

  void combine(std::byte* z, const std::byte* x, const std::byte* y, std::size_t count) const {
    add({.z = z, .x = x, .y = y, .count = count});
  }
  /// The sum of room[0 .. count), count > 0, into room[0].
  void halve(std::byte* room, std::size_t count) const {
    while (count > 1) {
      const std::size_t half = (count + 1) / 2;
      combine(room, room, room + half * bytes, count - half);
      count = half;
    }
  }
  /// The sum of 0 < count <= block_size elements into *to.
  void sum_block(std::byte* to, const std::byte* from, std::size_t count) const {
    if (count == 1) {
      std::memcpy(to, from, bytes);
      return;
    }
    alignas(64) std::byte room[block_size / 2 * widest];
    const std::size_t half = (count + 1) / 2;
    combine(room, from, from + half * bytes, count - half);
    if (count % 2 != 0) std::memcpy(room + (half - 1) * bytes, from + (half - 1) * bytes, bytes);
    halve(room, half);
    std::memcpy(to, room, bytes);
  }
  /// The sum of `count` > 0 elements, block by block: what sum_all computes, on one thread.
  void sum_blocks(std::byte* to, const std::byte* from, std::size_t count) const {
    sum_block(to, from, std::min(count, block_size));
    alignas(64) std::byte next[widest];
    for (std::size_t begin = block_size; begin < count; begin += block_size) {
      sum_block(next, from + begin * bytes, std::min(block_size, count - begin));
      combine(to, to, next, 1);
    }
  }
  /// The sum of `count` > 0 equal values.
  void sum_copies(std::byte* to, const std::byte* value, std::size_t count) const {
    alignas(64) std::byte power[widest];
    std::memcpy(power, value, bytes);
    bool any = false;
    for (; count > 0; count /= 2) {
      if (count % 2 != 0) {
        if (any)
          combine(to, to, power, 1);
        else
          std::memcpy(to, power, bytes);
        any = true;
      }
      if (count > 1) combine(power, power, power, 1);
    }
  }
  /// The sum of elements [begin, end) of one block where `present`, if there are flags, is set.
  /// False if there are none.
  bool sum_present(std::byte* to, const std::byte* from, const std::uint8_t* present,
                   std::size_t begin, std::size_t end) const {
    if (present == nullptr) {
      sum_block(to, from + begin * bytes, end - begin);
      return true;
    }
    alignas(64) std::byte room[block_size * widest];
    std::size_t at[block_size];
    const std::size_t found =
        collect(begin, end, at, [&](std::size_t n) { return present[n] != 0; });
    if (found == 0) return false;
    gather(room, from, at, found, bytes);
    halve(room, found);
    std::memcpy(to, room, bytes);
    return true;
  }
  /// The sum of the sums of blocks for which has[] is set, in order. False if there are none.
  bool combine_blocks(std::byte* to, const std::byte* sums, const std::uint8_t* has,
                      std::size_t blocks) const {
    bool any = false;
    for (std::size_t block = 0; block < blocks; ++block) {
      if (!has[block]) continue;
      if (any)
        combine(to, to, sums + block * bytes, 1);
      else
        std::memcpy(to, sums + block * bytes, bytes);
      any = true;
    }
    return any;
  }
};

inline constexpr std::size_t block_size = summer::block_size;
static_assert(chunk_size % block_size == 0);

}  // namespace tropic::detail::on_cpu
