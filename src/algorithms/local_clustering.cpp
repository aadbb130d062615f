// SPDX-License-Identifier: Apache-2.0
#include "algorithms/local_clustering.hpp"

#include <tropic/algorithms/verify/local_clustering.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

vector<double> local_clustering(const any_graph& graph) {
  const vector<double> of_copy = tropic::local_clustering(as_pattern(graph.working_copy()));
  return vector<double>(graph.from_working_copy(of_copy.base()));
}

std::string verify_local_clustering(const any_graph& graph, const vector<double>& coefficient) {
  return tropic::verify_local_clustering(as_pattern(graph.matrix()), coefficient);
}

}  // namespace tropic::algorithms
