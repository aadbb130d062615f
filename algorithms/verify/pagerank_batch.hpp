// SPDX-License-Identifier: Apache-2.0
#pragma once

// Checks ranks from many preferences one by one (verify/pagerank.hpp). Sequential.

#include <cstddef>
#include <string>

#include <tropic/algorithms/pagerank_batch.hpp>
#include <tropic/algorithms/verify/pagerank.hpp>
#include <tropic/detail/number_text.hpp>
#include <tropic/full_matrix.hpp>
#include <tropic/matrix.hpp>

namespace tropic {

namespace detail {
inline std::string check_batch_shape(index_t vertices, index_t preferences,
                                     const pagerank_batch_result& result) {
  const auto runs = static_cast<std::size_t>(preferences);
  if (result.rank.rows() == vertices && result.rank.columns() == preferences &&
      result.iterations.size() == runs && result.change.size() == runs &&
      result.converged.size() == runs)
    return {};
  return "the result is " + std::to_string(result.rank.rows()) + "x" +
         std::to_string(result.rank.columns()) + " for " +
         std::to_string(result.iterations.size()) + " runs, the graph has " +
         std::to_string(vertices) + " vertices and there are " + std::to_string(runs) +
         " preferences";
}

/// `wrong`: what verify_pagerank found.
inline std::string check_run(index_t preference, const pagerank_result& run,
                             const std::string& wrong, const pagerank_options& options) {
  if (!wrong.empty()) return "with preference " + std::to_string(preference) + ": " + wrong;
  if (run.converged != (run.iterations > 0 && run.change <= options.tolerance))
    return "with preference " + std::to_string(preference) + ": the last change is " +
           detail::number_text(run.change) + ", converged says otherwise";
  return {};
}

inline std::string check_runs(const weighted_rows<double>& graph,
                              const full_matrix<double>& preferences,
                              const pagerank_batch_result& result,
                              const pagerank_options& options) {
  if (std::string wrong = check_batch_shape(graph.vertices(), preferences.columns(), result);
      !wrong.empty())
    return wrong;
  for (index_t s = 0; s < preferences.columns(); ++s) {
    const pagerank_result run = result.run(s);
    std::string wrong =
        check_run(s, run, check_ranks(graph, preferences.column(s), run, options), options);
    if (!wrong.empty()) return wrong;
  }
  return {};
}
}  // namespace detail

/// Empty if `result` is that of pagerank_batch() with these arguments, else the first error found.
/// Throws cancelled.
template <value_type T>
std::string verify_pagerank_batch(const matrix<T>& graph, const full_matrix<double>& preferences,
                                  const pagerank_batch_result& result,
                                  const pagerank_options& options = {}) {
  return detail::check_runs(detail::weighted_rows<double>(graph), preferences, result, options);
}

}  // namespace tropic
