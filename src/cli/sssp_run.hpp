// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths behind a seam without the distance's type: the algorithm is instantiated a few
// types a file (sssp_*.cpp), the commands see numbers and text.

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <tropic/algorithms/sssp_negative.hpp>
#include <tropic/generators.hpp>

#include "cli/bench_graph.hpp"
#include "cli/output.hpp"
#include "cli/permute.hpp"
#include "cli/trials.hpp"

namespace tropic::cli {

struct sssp_request {
  index_t source = 0;
  double delta = 0;
  bool parents = false;
  permute_options permute;
  trial_options trial;
};

struct sssp_outcome {
  std::vector<double> seconds;
  double convert = 0, transfer = 0;  // of the graph in another order
  index_t steps = 0;
  double delta = 0;
  index_t reached = 0;
  index_t farthest = -1;  // the smallest of the farthest vertices
  double farthest_distance = 0;
  append_value append_distance;
  std::vector<index_t> parents;  // -1 where unreachable; empty unless asked for
  std::string complaint;         // of the verifier
  bool alike = true;             // every trial gave the same
};

template <class T>
sssp_outcome run_sssp(const program& p, const detail::matrix_base& graph,
                      const sssp_request& request);

/// For the benchmark; `delta` 0: chosen in the first run.
template <class T>
std::unique_ptr<benched_algorithm> make_benched_sssp(const detail::matrix_base& graph,
                                                     double delta);

#define TROPIC_CLI_SSSP(prefix, T)                                                     \
  prefix template sssp_outcome run_sssp<T>(const program&, const detail::matrix_base&, \
                                           const sssp_request&);                       \
  prefix template std::unique_ptr<benched_algorithm> make_benched_sssp<T>(             \
      const detail::matrix_base&, double);
TROPIC_CLI_SSSP(extern, std::int8_t)
TROPIC_CLI_SSSP(extern, std::int16_t)
TROPIC_CLI_SSSP(extern, std::int32_t)
TROPIC_CLI_SSSP(extern, std::int64_t)
TROPIC_CLI_SSSP(extern, std::uint8_t)
TROPIC_CLI_SSSP(extern, std::uint16_t)
TROPIC_CLI_SSSP(extern, std::uint32_t)
TROPIC_CLI_SSSP(extern, std::uint64_t)
TROPIC_CLI_SSSP(extern, float)
TROPIC_CLI_SSSP(extern, double)

[[noreturn]] inline void refuse_bool_distances() {
  refuse_option("--type", "'bool'", "a type that can hold distances");
}
/// Before any work.
inline void refuse_bool_distances(const program& p) {
  if (p.common.type == type_code::boolean) refuse_bool_distances();
}

/// f<T>() for the type of that code.
template <class Result, class F>
Result with_distance_type(type_code code, const F& f) {
  return with_builtin_type(code, [&]<class T>() -> Result {
    if constexpr (std::is_same_v<T, bool>)
      refuse_bool_distances();
    else
      return f.template operator()<T>();
  });
}

/// f(), a negative cycle of which becomes an input_error that names the file and a vertex.
template <class F>
auto naming_negative_cycles(const std::string& file, const vertex_names& vertices, const F& f) {
  try {
    return f();
  } catch (const negative_cycle& cycle) {
    throw input_error(
        file, 0,
        fmt::format("a cycle of negative length through vertex {}", vertices.label(cycle.vertex)),
        "none: distances would have no lower bound");
  }
}

}  // namespace tropic::cli
