// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths (sssp.hpp): the options, the result and the exceptions.

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <tropic/error.hpp>
#include <tropic/semirings/export.hpp>
#include <tropic/semirings/types.hpp>
#include <tropic/vector.hpp>

namespace tropic {

/// The default type of distances over weights of type T: std::int64_t for integers of less than 64
/// bits, else T.
template <class T>
using distance_type = std::conditional_t<std::is_integral_v<T> && (sizeof(T) < 8), std::int64_t, T>;

struct sssp_options {
  /// Width of a bucket, finite; 0: chosen from the weights.
  double delta = 0;
  bool parents = true;
  /// Vertices at a greater distance get no entry, and the search does not visit them: it costs as
  /// much as the part of the graph within the limit. Must not be negative, and needs weights that
  /// are not negative. A limit that the type of distances cannot represent is rounded down to the
  /// next value.
  double limit = std::numeric_limits<double>::infinity();
};

/// D is the type of distances.
template <value_type D>
struct sssp_result {
  vector<D> distance;      // no entry for a vertex that is not reachable within the limit
  vector<index_t> parent;  // the source is its own parent; empty without sssp_options::parents
  index_t steps = 0;       // products over the frontier
  double delta = 0;        // width of a bucket; 0: Bellman-Ford
  /// Number of vertices whose distance may be wrong because a sum was clamped: either the distance
  /// is at the clamp, or the path leads through such a vertex. 0: every distance is exact (floating
  /// types: up to rounding).
  index_t saturated = 0;
};

/// A cycle of negative total weight is reachable: distances have no lower bound.
class TROPIC_API negative_cycle : public error {
 public:
  explicit negative_cycle(index_t through)
      : error("sssp: a negative cycle goes through vertex " + std::to_string(through)),
        vertex(through) {}
  index_t vertex;
};

/// A weight equals the largest value of the distances' type, which represents "no path".
class TROPIC_API unusable_weight : public usage_error {
 public:
  unusable_weight(index_t edge_from, index_t edge_to, const std::string& its_weight,
                  const std::string& largest_weight)
      : usage_error("sssp: the edge from " + std::to_string(edge_from) + " to " +
                    std::to_string(edge_to) + " weighs " + its_weight +
                    ", which represents no path; the largest weight is " + largest_weight),
        from(edge_from),
        to(edge_to),
        weight(its_weight),
        largest(largest_weight) {}
  index_t from, to;
  std::string weight, largest;  // what was found, and what is allowed
};

}  // namespace tropic
