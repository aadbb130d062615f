// SPDX-License-Identifier: Apache-2.0
#include "algorithms/louvain.hpp"

#include <tropic/algorithms/verify/louvain.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

namespace {

// f on the pattern, or on the weights as fp64: the algorithm is compiled for two types.
template <class F>
auto with_edges(const detail::matrix_base& m, bool weighted, const F& f) {
  if (!weighted) return f(matrix<bool>(m.type->code == type_code::boolean ? m : pattern_of(m)));
  matrix<double> weights(context(m.context), m.rows, m.columns);
  with_builtin_type(m.type->code,
                    [&]<class T>() { apply(weights, identity{}, tropic::matrix<T>(m)); });
  if (m.symmetric) weights.assume_symmetric();
  return f(weights);
}

}  // namespace

double modularity(const detail::matrix_base& graph, const vector<index_t>& community,
                  const modularity_options& options) {
  return with_edges(graph, options.weighted, [&](const auto& edges) {
    return tropic::modularity(edges, community, options);
  });
}

louvain_result louvain(const detail::matrix_base& graph, const modularity_options& options) {
  return with_edges(graph, options.weighted,
                    [&](const auto& edges) { return tropic::louvain(edges, options); });
}

std::string verify_louvain(const detail::matrix_base& graph, const louvain_result& result,
                           const modularity_options& options) {
  return with_edges(graph, options.weighted, [&](const auto& edges) {
    return tropic::verify_louvain(edges, result, options);
  });
}

}  // namespace tropic::algorithms
