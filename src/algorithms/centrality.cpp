// SPDX-License-Identifier: Apache-2.0
#include "algorithms/centrality.hpp"

#include <tropic/algorithms/verify/closeness.hpp>
#include <tropic/algorithms/verify/power_centrality.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

namespace {

matrix<bool> pattern(const detail::matrix_base& m) {
  return matrix<bool>(m.type->code == type_code::boolean ? m : pattern_of(m));
}

// f on the pattern, or on the weights as fp64.
template <class F>
auto with_edges(const char* algorithm, const detail::matrix_base& m, bool weighted, const F& f) {
  if (!weighted) return f(pattern(m));
  return f(with_builtin_type(m.type->code, [&]<class T>() {
    return detail::weights_as_fp64(algorithm, tropic::matrix<T>(m));
  }));
}

vector<double> in_given_numbers(const any_graph& graph, const vector<double>& values) {
  return vector<double>(graph.from_working_copy(values.base()));
}

}  // namespace

closeness_result closeness(const any_graph& graph, const closeness_options& options) {
  closeness_result result = tropic::closeness(pattern(graph.working_copy()), options);
  result.centrality = in_given_numbers(graph, result.centrality);
  return result;
}
std::string verify_closeness(const any_graph& graph, const closeness_result& result,
                             const closeness_options& options) {
  return tropic::verify_closeness(pattern(graph.matrix()), result, options);
}

power_result eigenvector_centrality(const any_graph& graph, const eigenvector_options& options) {
  power_result result =
      with_edges("eigenvector", graph.working_copy(), options.weighted,
                 [&](const auto& edges) { return tropic::eigenvector_centrality(edges, options); });
  result.centrality = in_given_numbers(graph, result.centrality);
  return result;
}
std::string verify_eigenvector_centrality(const any_graph& graph, const power_result& result,
                                          const eigenvector_options& options) {
  return with_edges("eigenvector", graph.matrix(), options.weighted, [&](const auto& edges) {
    return tropic::verify_eigenvector_centrality(edges, result, options);
  });
}

power_result katz_centrality(const any_graph& graph, const katz_options& options) {
  power_result result =
      with_edges("katz", graph.working_copy(), options.weighted,
                 [&](const auto& edges) { return tropic::katz_centrality(edges, options); });
  result.centrality = in_given_numbers(graph, result.centrality);
  return result;
}
std::string verify_katz_centrality(const any_graph& graph, const power_result& result,
                                   const katz_options& options) {
  return with_edges("katz", graph.matrix(), options.weighted, [&](const auto& edges) {
    return tropic::verify_katz_centrality(edges, result, options);
  });
}

hits_result hits(const any_graph& graph, const hits_options& options) {
  hits_result result = with_edges("hits", graph.working_copy(), options.weighted,
                                  [&](const auto& edges) { return tropic::hits(edges, options); });
  result.hubs = in_given_numbers(graph, result.hubs);
  result.authorities = in_given_numbers(graph, result.authorities);
  return result;
}
std::string verify_hits(const any_graph& graph, const hits_result& result,
                        const hits_options& options) {
  return with_edges("hits", graph.matrix(), options.weighted,
                    [&](const auto& edges) { return tropic::verify_hits(edges, result, options); });
}

}  // namespace tropic::algorithms
