// SPDX-License-Identifier: Apache-2.0
#pragma once

// Constants and arithmetic of the method of Louvain, as communities.hpp defines it.

#include <bit>
#include <cmath>
#include <cstdint>

namespace tropic::detail {

/// Constants of the method.
struct community_rule {
  static constexpr std::uint32_t sub_rounds = 8;    // a power of two
  static constexpr std::uint32_t most_sweeps = 32;  // of a level
  static constexpr std::uint32_t few_vertices = 256;
  static constexpr std::uint32_t first_one_in = 16;
  static constexpr double least_gain = 1e-10;  // of a vertex's weight; less is rounding

  double resolution = 1;
  std::uint64_t all = 0;  // below 2^53

  /// The subset of vertex v in a sweep.
  static std::uint32_t sub_round_of(std::uint32_t v, std::uint32_t sweep) {
    std::uint32_t x = v + sweep * 0x9e3779b9U;
    x = (x ^ (x >> 16U)) * 0x7feb352dU;
    x = (x ^ (x >> 15U)) * 0x846ca68bU;
    return (x ^ (x >> 16U)) % sub_rounds;
  }
  /// What the total of a community is multiplied by.
  double factor(std::uint64_t weight) const {
    return resolution * (static_cast<double>(weight) / static_cast<double>(all));
  }
  static double gain(std::uint64_t to, double factor, std::uint64_t total) {
    return static_cast<double>(to) - factor * static_cast<double>(total);
  }
  /// What a gain must exceed for v to leave its community.
  static double needed(std::uint64_t to_own, double factor, std::uint64_t rest,
                       std::uint64_t weight) {
    return gain(to_own, factor, rest) + least_gain * static_cast<double>(weight);
  }
  /// Totals are squared without so many of their lowest bits, so that 64 bits hold the sum of all.
  int shift() const {
    const auto bits = static_cast<int>(std::bit_width(all));
    return bits > 32 ? bits - 32 : 0;
  }
};

struct community_sums {
  std::uint64_t inside = 0;   // weight of entries within communities, loops left out
  std::uint64_t squares = 0;  // of the totals without their lowest bits

  /// The modularity without loops; `loops`: their weight. The squares are exact if shift is 0.
  double modularity(const community_rule& rule, std::uint64_t loops = 0) const {
    const auto all = static_cast<double>(rule.all);
    const double parts = std::ldexp(all, -rule.shift());
    return static_cast<double>(inside + loops) / all -
           rule.resolution * (static_cast<double>(squares) / parts / parts);
  }
};

}  // namespace tropic::detail
