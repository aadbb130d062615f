// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weights that communities are found by.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <tropic/algorithms/modularity.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

TROPIC_UNARY_OPERATOR(rounded_down, t_floor(x));
TROPIC_UNARY_OPERATOR(rounded_up, t_ceil(x));
TROPIC_UNARY_OPERATOR(rounded, t_floor(x + 0.5));

/// The symmetric weights of a graph, loops twice.
template <value_type T>
matrix<double> undirected_weights(const char* algorithm, const matrix<T>& graph, bool weighted) {
  matrix<double> weights = community_weights(algorithm, graph, weighted);
  if (graph.is_symmetric()) return weights;
  const index_t n = graph.rows();
  matrix<double> reversed(graph.where(), n, n), both(graph.where(), n, n);
  transpose(reversed, weights);
  ewise_add(both, plus{}, weights, reversed);
  both.assume_symmetric();
  return both;
}

/// x * 2^exponent for every value x.
inline void scale(matrix<double>& weights, int exponent) {
  const int half = exponent / 2;  // 2^exponent may be no fp64
  apply(weights, bind_second(times{}, std::ldexp(1.0, half)), weights);
  apply(weights, bind_second(times{}, std::ldexp(1.0, exponent - half)), weights);
}

template <class Rounding>
std::uint64_t sum_of_rounded(const Rounding& rounding, const matrix<double>& weights) {
  matrix<std::uint64_t> whole(weights.where(), weights.rows(), weights.columns());
  apply(whole, rounding, weights);
  return reduce(plus_monoid<std::uint64_t>{}, whole);
}

/// Weights that are not negative, in multiples of a unit such that their sum is below 2^53. If they
/// are whole numbers, the unit is 1; else a power of two, at most 2^-50 of their sum if they are at
/// most 2^30: a weight is changed by half of that. The unit does not depend on the order of sums.
inline matrix<std::uint64_t> whole_weights(matrix<double> weights) {
  constexpr int sum_bits = 53, entry_bits = 32;  // of the number of entries
  matrix<std::uint64_t> whole(weights.where(), weights.rows(), weights.columns());
  const double largest = weights.nvals() == 0 ? 0 : reduce(maximum_monoid<double>{}, weights);
  if (largest < std::ldexp(1.0, 63 - entry_bits)) {
    const std::uint64_t sum = sum_of_rounded(rounded_down{}, weights);
    if (sum < std::uint64_t{1} << sum_bits && sum == sum_of_rounded(rounded_up{}, weights)) {
      apply(whole, rounded_down{}, weights);
      return whole;
    }
  }
  // Below 2^31, so that 63 bits hold the sum of all, rounded up.
  const int exponent = 63 - entry_bits - 1 - std::ilogb(largest);
  matrix<double> scaled = weights;
  scale(scaled, exponent);
  const std::uint64_t sum = sum_of_rounded(rounded_up{}, scaled);
  scale(weights, exponent + sum_bits - 1 - static_cast<int>(std::bit_width(sum)));
  apply(whole, rounded{}, weights);
  return whole;
}

}  // namespace tropic::detail
