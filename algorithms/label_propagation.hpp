// SPDX-License-Identifier: Apache-2.0
#pragma once

// Community detection by label propagation, as the LDBC Graphalytics benchmark defines it (Iosup et
// al., "The LDBC Graphalytics benchmark", version 1.0, section 2.3.4; Raghavan, Albert and Kumara,
// "Near linear time algorithm to detect community structures in large-scale networks", Physical
// Review E 76, 2007). Every vertex begins with its own number as label. In an iteration all
// vertices at once take the most frequent label of their neighbours, of several the smallest. In a
// directed graph a neighbour by an edge in both directions counts twice.
//
// With the matrix L that has one entry in each row v, at column label(v):
//
//   count = A L + A' L           over (plus, pair): how often v sees every label
//   key = 2^32 count + (2^32 - 1 - label)
//   label(v) = the label of the largest key in row v; a vertex without neighbours keeps its own
//
// The counts are a sparse matrix with an entry for each vertex and label around it, so a vertex of
// any degree takes the same path, and ties are resolved by the key alone. Invariant: a label is the
// number of a vertex. If no label changes, all later iterations are the same, and none is run. Work
// O(edges log(largest degree)) an iteration. Space: 12 bytes for each vertex and label around it,
// at most twice the entries of the graph, while the product is computed 12 more; and the transpose
// of a matrix that is not known to be symmetric. This is more than three graphs in the first
// iterations of a graph without values, since each entry has a count then.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/detail/membership.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/mxm.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct label_propagation_result {
  vector<index_t> label;   // full: one value per vertex
  index_t iterations = 0;  // that changed a label
  index_t labels = 0;      // number of different labels
};

namespace detail {
TROPIC_UNARY_OPERATOR(frequency_key, x * 4294967296 + (4294967295 - j));
TROPIC_UNARY_OPERATOR(label_of_key, 4294967295 - x % 4294967296);

/// The number of different labels.
inline index_t count_of(const vector<index_t>& label) {
  std::vector<bool> seen(static_cast<std::size_t>(label.size()));
  index_t found = 0;
  for (const index_t of : host_values("label_propagation", label)) {
    found += !seen[static_cast<std::size_t>(of)];
    seen[static_cast<std::size_t>(of)] = true;
  }
  return found;
}

/// From these labels, numbers below n.
template <value_type T>
label_propagation_result propagate_labels(const matrix<T>& graph, vector<index_t> label,
                                          index_t iterations) {
  if (iterations < 0)
    throw usage_error("label_propagation: " + std::to_string(iterations) +
                      " iterations, needed 0 or more");
  const context where = graph.where();
  const index_t n = graph.rows();
  label_propagation_result result{std::move(label)};
  while (result.iterations < iterations) {
    where.checkpoint("label_propagation",
                     static_cast<double>(result.iterations) / static_cast<double>(iterations));
    const matrix<bool> members = membership("label_propagation", result.label, n);
    const plus_pair<std::uint64_t, T, bool> counts;
    matrix<std::uint64_t> count(where, n, n);
    mxm(count, counts, graph, members);
    if (!graph.is_symmetric())
      mxm(count, counts, transpose(graph), members, {.accumulate = plus{}});
    apply(count, frequency_key{}, count);
    vector<std::uint64_t> key(where, n);
    reduce(key, maximum_monoid<std::uint64_t>{}, count);
    vector<index_t> chosen(where, n), next = result.label;
    apply(chosen, label_of_key{}, key);
    assign(next, chosen, {.mask = structure(chosen)});
    vector<bool> changed(where, n);
    ewise_multiply(changed, not_equal{}, next, result.label);
    if (!reduce(or_monoid<bool>{}, changed)) break;
    result.label = std::move(next);
    ++result.iterations;
  }
  result.labels = count_of(result.label);
  return result;
}
}  // namespace detail

/// The label of every vertex after `iterations` iterations. An entry (i, j) of `graph` is an edge
/// from i to j, whatever its value; a matrix that is known to be symmetric
/// (matrix::assume_symmetric) is an undirected graph. A loop makes a vertex its own neighbour.
/// Throws usage_error if the matrix is not square, or for less than 0 iterations; cancelled.
template <value_type T>
label_propagation_result label_propagation(const matrix<T>& graph, index_t iterations = 10) {
  detail::check_square("label_propagation", graph);
  std::vector<index_t> initial_labels(static_cast<std::size_t>(graph.rows()));
  std::iota(initial_labels.begin(), initial_labels.end(), index_t{0});
  return detail::propagate_labels(
      graph, vector<index_t>::from_array(graph.where(), std::move(initial_labels)), iterations);
}

}  // namespace tropic
