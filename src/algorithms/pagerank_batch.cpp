// SPDX-License-Identifier: Apache-2.0
#include "algorithms/pagerank_batch.hpp"

#include <tropic/algorithms/verify/pagerank_batch.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

namespace {

template <class R>
pagerank_batch_result ranks_of(const detail::matrix_base& graph,
                               const full_matrix<double>& preferences,
                               const pagerank_options& options) {
  if (options.weighted)
    return with_builtin_type(graph.type->code, [&]<class T>() {
      return detail::weighted_pageranks<R>(matrix<T>(graph), preferences, options);
    });
  return detail::unweighted_pageranks<R>(as_pattern(graph), preferences, options);
}

}  // namespace

pagerank_batch_result pagerank_batch(const detail::matrix_base& graph,
                                     const full_matrix<double>& preferences,
                                     const pagerank_options& options) {
  return options.single ? ranks_of<float>(graph, preferences, options)
                        : ranks_of<double>(graph, preferences, options);
}

std::string verify_pagerank_batch(const detail::matrix_base& graph,
                                  const full_matrix<double>& preferences,
                                  const pagerank_batch_result& result,
                                  const pagerank_options& options) {
  return with_builtin_type(graph.type->code, [&]<class T>() {
    return tropic::verify_pagerank_batch(matrix<T>(graph), preferences, result, options);
  });
}

}  // namespace tropic::algorithms
