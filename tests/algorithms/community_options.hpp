// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options that the tests of Louvain and Leiden run with.

#include <vector>

#include <tropic/algorithms/leiden.hpp>
#include <tropic/algorithms/modularity.hpp>

namespace community_options {

inline std::vector<tropic::modularity_options> of_louvain() {
  return {{}, {.resolution = 0.5}, {.resolution = 3, .weighted = true}, {.weighted = true}};
}

inline std::vector<tropic::leiden_options> of_leiden() {
  return {{},
          {.iterations = 1},
          {.resolution = 0},
          {.resolution = 0.5},
          {.resolution = 3, .weighted = true},
          {.weighted = true}};
}

}  // namespace community_options
