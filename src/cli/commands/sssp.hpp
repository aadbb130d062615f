// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `tropic sssp` and `tropic bench sssp` share: the types of distances, and errors that name
// the file and its vertices.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>

#include "algorithms/sssp.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/load.hpp"
#include "cli/program.hpp"

namespace tropic::cli {

inline constexpr const char* distances_help =
    "type of distances: that of the weights, or int64 [int64 if these are narrower integers]";

/// Before any work: refuses types that do not fit together. Without --type, values are read in the
/// type of --distances.
void settle_types(program& p, std::optional<type_code> distances);

/// The type of distances over weights of that type: `asked`, the value of --distances, or
/// tropic::distance_type without it. Refuses a type that does not take the weights as they are.
type_code distances_over(type_code weights, std::optional<type_code> asked);

using algorithms::with_distance_type;

/// `tropic sssp --pairs`: the options that it shares with searches from one source.
struct sssp_pairs_arguments {
  std::string file, pairs, output;
  std::optional<type_code> type;  // of distances
  bool allow_saturation = false;
  double delta = 0;
  double limit = std::numeric_limits<double>::infinity();
  permute_options permute;
  trial_options trial;
};
exit_code run_sssp_pairs(const program& p, const sssp_pairs_arguments& o);

/// " within 500", or nothing without a limit; the report gets the limit.
std::string report_limit(double limit, report& r);

/// The line of the edge's weight in the file; 0 if it is not known.
std::size_t line_of_weight(const program& p, const std::string& file, const unusable_weight& edge);

/// f(); a negative_cycle or unusable_weight becomes an input_error with the file's name and
/// vertices.
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
                      fmt::format("an edge from {} to {} that weighs {}, which represents no path",
                                  vertices.label(edge.from), vertices.label(edge.to), edge.weight),
                      "a weight up to " + edge.largest);
  }
}

}  // namespace tropic::cli
