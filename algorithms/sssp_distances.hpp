// SPDX-License-Identifier: Apache-2.0
#pragma once

// Distances: their type, what a search returns, and sums that the type cannot hold.
//
// A sum of lengths that is past the distances' type is clamped (tropical_plus): at the largest
// value but one, as the largest stands for "no path", or at the smallest. Results count the
// distances that such a sum has reached (sssp_saturation.hpp).

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <tropic/vector.hpp>

namespace tropic {

/// The type of distances over weights of type T, where no other is asked for: std::int64_t for
/// integers of less than 64 bits, else T.
template <class T>
using distance_type = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 8), std::int64_t, T>;

/// Whether distances of type D take every weight of type T. fp32 and fp64 take any integer,
/// rounded.
template <class D, class T>
constexpr bool holds_weights() {
  if constexpr (!std::is_arithmetic_v<D> || std::is_same_v<D, bool>)
    return false;
  else if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_floating_point_v<D>)
    return std::is_integral_v<T> || sizeof(D) >= sizeof(T);
  else if constexpr (std::is_floating_point_v<T>)
    return false;
  else
    return std::cmp_less_equal(std::numeric_limits<D>::min(), std::numeric_limits<T>::min()) &&
           std::cmp_greater_equal(std::numeric_limits<D>::max(), std::numeric_limits<T>::max());
}

/// D is the type of distances.
template <value_type D>
struct sssp_result {
  vector<D> distance;      // no entry where the source does not lead
  vector<index_t> parent;  // the source is its own
  index_t steps = 0;       // products over the frontier
  double delta = 0;        // bucket width; 0: Bellman-Ford
  /// Vertices whose distance is not known to be the true one, because a sum was clamped: it is at
  /// the clamp, or beyond one. 0: every distance is exact (of floating types: up to rounding).
  index_t saturated = 0;
};

/// A weight that is the largest value of the distances' type, which stands for "no path".
class TROPIC_API unusable_weight : public usage_error {
 public:
  unusable_weight(index_t edge_from, index_t edge_to, const std::string& its_weight,
                  const std::string& largest)
      : usage_error("sssp: the edge from " + std::to_string(edge_from) + " to " +
                    std::to_string(edge_to) + " weighs " + its_weight +
                    ", which stands for no path; the largest weight is " + largest),
        from(edge_from),
        to(edge_to),
        weight(its_weight),
        most(largest) {}
  index_t from, to;
  std::string weight, most;
};

namespace detail {

/// distance + weight as tropical_plus has it; empty where that would clamp the sum.
template <class D, class T>
std::optional<D> exact_sum(D distance, T weight) {
  const D length = static_cast<D>(weight), sum = arithmetic::tropical_plus(distance, length);
  constexpr D unreached = arithmetic::largest<D>();
  if constexpr (std::is_floating_point_v<D>) {
    if (sum == std::numeric_limits<D>::max() && !(distance + length < unreached)) return {};
  } else {
    if (distance == unreached || length == unreached) return unreached;
    if (arithmetic::subtract(sum, length) != distance) return {};
  }
  return sum;
}

/// distance + weight, for messages.
template <class D, class T>
std::string sum_text(D distance, T weight) {
  if (const std::optional<D> sum = exact_sum(distance, weight)) return std::to_string(*sum);
  if constexpr (std::is_integral_v<D> && sizeof(D) < 8)
    return std::to_string(static_cast<std::int64_t>(distance) + static_cast<std::int64_t>(weight));
  return std::to_string(distance) + (weight < T{} ? " - " : " + ") +
         (weight < T{} ? std::to_string(weight).substr(1) : std::to_string(weight));
}

}  // namespace detail
}  // namespace tropic
