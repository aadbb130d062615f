// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths behind a seam without types: the algorithm is instantiated a few pairs of a
// distances' and a weights' type a file (sssp_*.cpp), the commands see numbers and text.

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tropic/algorithms/sssp_distances.hpp>
#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/generators.hpp>

#include "cli/bench/gap.hpp"
#include "cli/bench/trials.hpp"
#include "cli/commands/permute.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

struct sssp_request {
  index_t source = 0;
  double delta = 0;
  bool parents = false;
  bool allow_saturation = false;  // of the verifier
  permute_options permute;
  trial_options trial;
};

struct sssp_outcome {
  std::vector<double> seconds;
  double convert = 0, transfer = 0;  // of the graph in another order
  index_t steps = 0;
  double delta = 0;
  index_t saturated = 0;
  std::string distance_range;  // "up to 254", or with the least where weights are negative
  index_t reached = 0;
  index_t farthest = -1;  // the smallest of the farthest vertices
  double farthest_distance = 0;
  append_value append_distance;
  std::vector<index_t> parents;  // -1 where unreachable; empty unless asked for
  std::string complaint;         // of the verifier
  bool alike = true;             // every trial gave the same
};

template <class D, class T>
sssp_outcome run_sssp(const program& p, const detail::matrix_base& graph,
                      const sssp_request& request);

/// For the benchmark; `delta` 0: chosen in the first run.
template <class D, class T>
std::unique_ptr<benched_algorithm> make_benched_sssp(const detail::matrix_base& graph,
                                                     double delta);

#define TROPIC_CLI_SSSP(prefix, D, T)                                                     \
  prefix template sssp_outcome run_sssp<D, T>(const program&, const detail::matrix_base&, \
                                              const sssp_request&);                       \
  prefix template std::unique_ptr<benched_algorithm> make_benched_sssp<D, T>(             \
      const detail::matrix_base&, double);
TROPIC_CLI_SSSP(extern, std::int8_t, std::int8_t)
TROPIC_CLI_SSSP(extern, std::int16_t, std::int16_t)
TROPIC_CLI_SSSP(extern, std::int32_t, std::int32_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::int64_t)
TROPIC_CLI_SSSP(extern, std::uint8_t, std::uint8_t)
TROPIC_CLI_SSSP(extern, std::uint16_t, std::uint16_t)
TROPIC_CLI_SSSP(extern, std::uint32_t, std::uint32_t)
TROPIC_CLI_SSSP(extern, std::uint64_t, std::uint64_t)
TROPIC_CLI_SSSP(extern, float, float)
TROPIC_CLI_SSSP(extern, double, double)
TROPIC_CLI_SSSP(extern, std::int64_t, std::int8_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::int16_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::int32_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::uint8_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::uint16_t)
TROPIC_CLI_SSSP(extern, std::int64_t, std::uint32_t)

inline constexpr const char* distances_help =
    "type of distances: that of the values or int64 [int64 for narrower integers]";

/// Before any work: types that do not fit together are refused, and without --type the values are
/// read in the type of --distances.
void settle_types(program& p, std::optional<type_code> distances);

/// f<D, T>() for weights of type `weights` and the distances that --distances asks for, or, where
/// it is not given, those of tropic::distance_type. Refuses other pairs.
template <class Result, class F>
Result with_distance_types(type_code weights, std::optional<type_code> distances, const F& f) {
  return with_builtin_type(weights, [&]<class T>() -> Result {
    if constexpr (!std::is_same_v<T, bool>) {
      const type_code asked = distances.value_or(builtin_code<distance_type<T>>());
      if (asked == builtin_code<T>()) return f.template operator()<T, T>();
      if constexpr (std::is_integral_v<T> && sizeof(T) < 8)
        if (asked == type_code::int64) return f.template operator()<std::int64_t, T>();
    }
    const bool widens = !is_floating(weights) && describe(weights).size < 8;
    refuse_option("--distances",
                  fmt::format("{} with {} values", describe(distances.value_or(weights)).name,
                              describe(weights).name),
                  fmt::format("{}{}", describe(weights).name, widens ? " or int64" : ""));
  });
}

/// The line on which a weight of that edge stands; 0 where it is not known.
std::size_t line_of_weight(const program& p, const std::string& file, const unusable_weight& edge);

/// f(), whose negative cycles and weights that cannot be used become input_errors that name the
/// file and its vertices.
template <class F>
auto naming_vertices(const program& p, const std::string& file, const vertex_names& vertices,
                     const F& f) {
  try {
    return f();
  } catch (const negative_cycle& cycle) {
    throw input_error(
        file, 0,
        fmt::format("a cycle of negative length through vertex {}", vertices.label(cycle.vertex)),
        "none: distances would have no lower bound");
  } catch (const unusable_weight& edge) {
    throw input_error(file, line_of_weight(p, file, edge),
                      fmt::format("an edge from {} to {} that weighs {}, which stands for no path",
                                  vertices.label(edge.from), vertices.label(edge.to), edge.weight),
                      "a weight up to " + edge.most);
  }
}

}  // namespace tropic::cli
