// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths behind a seam without the distance's type: the algorithm is instantiated a few
// types a file (sssp_*.cpp), the command sees numbers and text.

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/trials.hpp"

namespace tropic::cli {

struct sssp_request {
  index_t source = 0;
  double delta = 0;
  bool parents = false;
  trial_options trial;
};

struct sssp_outcome {
  std::vector<double> seconds;
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

#define TROPIC_CLI_SSSP(prefix, T)                                                     \
  prefix template sssp_outcome run_sssp<T>(const program&, const detail::matrix_base&, \
                                           const sssp_request&);
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

}  // namespace tropic::cli
