// SPDX-License-Identifier: Apache-2.0
#include "algorithms/pagerank.hpp"

#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/context.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

namespace {

template <class R>
pagerank_result run(const detail::matrix_base& matrix, const detail::teleport& jumps,
                    const pagerank_options& options) {
  if (options.weighted)
    return with_builtin_type(matrix.type->code, [&]<class T>() {
      return detail::weighted_pagerank<R>(tropic::matrix<T>(matrix), jumps, options);
    });
  const bool is_pattern = matrix.type->code == type_code::boolean;
  return detail::unweighted_pagerank<R>(
      tropic::matrix<bool>(is_pattern ? matrix : pattern_of(matrix)), jumps, options);
}

// Over the vertices of the copy that the algorithm runs on, where the preferences are summed.
detail::teleport teleport_of(const any_graph& graph, const vector<double>* preference) {
  const context where(graph.matrix().context);
  const index_t n = graph.matrix().rows;
  if (preference == nullptr) return detail::uniform_teleport(where, n);
  detail::check_preferences(n, *preference);
  return {detail::personal_teleport(where, n,
                                    vector<double>(graph.to_working_copy(preference->base())))};
}

}  // namespace

pagerank_result pagerank(const any_graph& graph, const vector<double>* preference,
                         const pagerank_options& options) {
  const auto& copy = graph.working_copy();
  const detail::teleport jumps = teleport_of(graph, preference);
  pagerank_result result =
      options.single ? run<float>(copy, jumps, options) : run<double>(copy, jumps, options);
  result.rank = vector<double>(graph.from_working_copy(result.rank.base()));
  return result;
}

std::string verify_pagerank(const any_graph& graph, const pagerank_result& result,
                            const pagerank_options& options) {
  return with_builtin_type(graph.type(), [&]<class T>() {
    return tropic::verify_pagerank(matrix<T>(graph.matrix()), result, options);
  });
}

}  // namespace tropic::algorithms
