// SPDX-License-Identifier: Apache-2.0
#include "algorithms/minimum_spanning_forest.hpp"

#include <utility>

#include <tropic/algorithms/minimum_spanning_forest.hpp>
#include <tropic/algorithms/verify/minimum_spanning_forest.hpp>

#include "algorithms/any_graph.hpp"

namespace tropic::algorithms {

any_spanning_forest_result minimum_spanning_forest(const detail::matrix_base& graph) {
  const type_code type = any_graph(graph).type();  // refuses records
  return with_builtin_type(type, [&]<class T>() -> any_spanning_forest_result {
    auto found = tropic::minimum_spanning_forest(matrix<T>(graph));
    return {std::move(found.forest.base()), found.edges, found.trees, found.weight, found.rounds};
  });
}

std::string verify_minimum_spanning_forest(const detail::matrix_base& graph,
                                           const any_spanning_forest_result& result) {
  return with_builtin_type(graph.type->code, [&]<class T>() {
    const spanning_forest_result<T> typed{matrix<T>(result.forest), result.edges, result.trees,
                                          result.weight, result.rounds};
    return tropic::verify_minimum_spanning_forest(matrix<T>(graph), typed);
  });
}

}  // namespace tropic::algorithms
