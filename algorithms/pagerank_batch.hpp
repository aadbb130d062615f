// SPDX-License-Identifier: Apache-2.0
#pragma once

// Personalised PageRank from many preferences at once. Column s of a full matrix is the run with
// preference s, and one product is one iteration of all runs:
//
//   share = D rank      next = 1 jump' * teleport + A' share
//
// as in pagerank.hpp, where D is the diagonal matrix of damping / out-degree and jump(s) the share
// of the ranks of column s that does not follow an edge. The entries of A are read once for all
// columns. Every column has its own number of iterations: when it has converged, its ranks are
// kept, and it leaves the batch as soon as half of the columns have converged.
//
// Invariants: the ranks of every column sum to 1 up to rounding. Column s has the same bits
// whatever the other columns are, and for any number of threads. It equals the single run up to
// rounding, since sums are computed in another order (docs/products.md#full-matrices); and to the
// bit on the reference and the CPU if no vertex has more than 16 incoming edges, no rank of
// dangling vertices is spread, and the number of iterations is the same.
//
// Work O((vertices + edges) * columns) an iteration. Space: for every vertex and column 48 bytes
// (28 with pagerank_options::single), of which 8 are the result; and the transpose of a matrix that
// is not known to be symmetric.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/host_values.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/pagerank_walk.hpp>
#include <tropic/context.hpp>
#include <tropic/diagonal.hpp>
#include <tropic/full_matrix.hpp>
#include <tropic/full_operations.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct pagerank_batch_result {
  full_matrix<double> rank;  // (v, s): of vertex v in the run with preference s
  // Of every run, as in pagerank_result.
  std::vector<index_t> iterations;
  std::vector<double> change;
  std::vector<bool> converged;

  /// The run with preference s.
  pagerank_result run(index_t s) const {
    const auto at = static_cast<std::size_t>(s);
    return {rank.column(s), iterations.at(at), change.at(at), converged.at(at)};
  }
};

namespace detail {

/// Sums of the columns of full matrices over given rows: first of blocks of rows, which threads
/// share, then of the blocks, both in ascending order.
class column_sums {
 public:
  /// `rows` ascend.
  column_sums(const context& where, index_t n, const std::vector<std::uint32_t>& rows)
      : of_rows_(blocks(where, n, rows)), of_blocks_(all_of(where, of_rows_.rows())) {}

  /// On the host, one for each column; 0 without rows.
  template <value_type R>
  std::vector<double> of(const full_matrix<R>& values) const {
    const context where = values.where();
    full_matrix<double> partial(where, of_rows_.rows(), values.columns()),
        sums(where, 1, values.columns());
    mxm(partial, plus_second<double, bool, R>{}, of_rows_, values);
    mxm(sums, plus_second<double, bool, double>{}, of_blocks_, partial);
    return reading_for("pagerank", [&] { return sums.dense(0); });
  }

 private:
  static constexpr std::uint32_t block = 512;

  static matrix<bool> blocks(const context& where, index_t n,
                             const std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> numbers(rows.size());
    std::ranges::transform(rows, numbers.begin(), [](std::uint32_t v) { return v / block; });
    return matrix<bool>::from_pattern(where, (n + block - 1) / block, n, numbers, rows, true);
  }
  static matrix<bool> all_of(const context& where, index_t columns) {
    std::vector<std::uint32_t> column(static_cast<std::size_t>(columns));
    std::iota(column.begin(), column.end(), 0U);
    return matrix<bool>::from_pattern(where, 1, columns, std::vector<std::uint32_t>(column.size()),
                                      column, true);
  }

  matrix<bool> of_rows_, of_blocks_;
};

/// The columns of `from` with these numbers.
template <value_type R>
full_matrix<R> columns_of(const full_matrix<R>& from, const std::vector<index_t>& columns) {
  full_matrix<R> result(from.where(), from.rows(), static_cast<index_t>(columns.size()), R{});
  for (std::size_t at = 0; at < columns.size(); ++at)
    result.set_column(static_cast<index_t>(at), from.column(columns[at]));
  return result;
}

/// Every preference scaled to a sum of 1, as ranks of type R.
template <class R>
full_matrix<R> personal_teleports(const full_matrix<double>& preferences) {
  const context where = preferences.where();
  const index_t n = preferences.rows(), count = preferences.columns();
  full_matrix<R> result(where, n, count, R{0});
  for (index_t s = 0; s < count; ++s)
    result.set_column(s, as_ranks<R>(personal_teleport(where, n, preferences.column(s),
                                                       " in column " + std::to_string(s))));
  return result;
}

/// The loop over ranks of type R. `semiring` gives the flow over an edge from the share of its
/// first vertex, which is the second operand.
template <class R, class S, value_type T>
pagerank_batch_result power_iterations(const S& semiring, const walk<R, T>& graph,
                                       full_matrix<R> teleport, const pagerank_options& options) {
  const context where = teleport.where();
  const index_t n = teleport.rows(), count = teleport.columns();
  const matrix<R> per_edge = diagonal_matrix(share_per_edge(graph.leaving, options));
  std::vector<std::uint32_t> vertices(static_cast<std::size_t>(n));
  std::iota(vertices.begin(), vertices.end(), 0U);
  const column_sums sum(where, n, vertices);
  const vector<R> dangling = dangling_vertices(graph.leaving, options);
  const bool loses_rank = dangling.nvals() > 0;
  const auto without_edges = reading_for("pagerank", [&] { return dangling.to_sparse().indices; });
  const column_sums dangling_sum(
      where, n, std::vector<std::uint32_t>(without_edges.begin(), without_edges.end()));
  const auto ones = matrix<bool>::from_pattern(where, n, 1, vertices,
                                               std::vector<std::uint32_t>(vertices.size()), true);
  const auto runs = static_cast<std::size_t>(count);
  pagerank_batch_result result{full_matrix<double>(where, n, count, 0.0),
                               std::vector<index_t>(runs, 0), std::vector<double>(runs, 0),
                               std::vector<bool>(runs, false)};
  full_matrix<R> rank = teleport;
  std::vector<index_t> of(runs);  // the run in each column of the batch; -1: its result is kept
  std::iota(of.begin(), of.end(), index_t{0});
  const auto keep = [&](std::size_t column) {
    vector<double> ranks(where, n);
    apply(ranks, identity{}, rank.column(static_cast<index_t>(column)));
    result.rank.set_column(std::exchange(of[column], -1), ranks);
  };
  const index_t limit = options.iterations.value_or(options.max_iterations);
  for (index_t done = 0; done < limit && !of.empty(); ++done) {
    where.checkpoint("pagerank", static_cast<double>(done) / static_cast<double>(limit));
    const auto columns = static_cast<index_t>(of.size());
    std::vector<double> lost(of.size(), 0.0);
    if (loses_rank) lost = dangling_sum.of(rank);
    std::vector<R> jump(of.size());
    for (std::size_t s = 0; s < jump.size(); ++s)
      jump[s] = static_cast<R>(1 - options.damping + options.damping * lost[s]);
    full_matrix<R> share(where, n, columns), next(where, n, columns);
    mxm(share, plus_times<R>{}, per_edge, rank);
    mxm(next, plus_second<R, bool, R>{}, ones,
        full_matrix<R>::from_array(where, 1, columns, std::move(jump)));
    ewise_multiply(next, times{}, next, teleport);
    mxm(next, semiring, transpose(graph.edges), share, {.accumulate = plus{}});
    ewise_multiply(share, absolute_difference{}, next, rank);
    const std::vector<double> change = sum.of(share);
    rank = std::move(next);
    std::vector<index_t> left;
    for (std::size_t s = 0; s < of.size(); ++s) {
      if (of[s] < 0) continue;
      const auto run = static_cast<std::size_t>(of[s]);
      result.iterations[run] = done + 1;
      result.change[run] = change[s];
      result.converged[run] = change[s] <= options.tolerance;
      if (result.converged[run] && !options.iterations)
        keep(s);
      else
        left.push_back(static_cast<index_t>(s));
    }
    if (left.empty()) return result;
    if (2 * left.size() > of.size()) continue;
    rank = columns_of(rank, left);
    teleport = columns_of(teleport, left);
    std::erase(of, -1);
  }
  for (std::size_t s = 0; s < of.size(); ++s)
    if (of[s] >= 0) keep(s);
  return result;
}

/// The check of preferences, before the weights are read; the result if it has no ranks.
inline std::optional<pagerank_batch_result> empty_batch(index_t vertices,
                                                        const full_matrix<double>& preferences) {
  if (preferences.rows() != vertices)
    throw usage_error("pagerank: preferences of " + std::to_string(preferences.rows()) +
                      " vertices, the graph has " + std::to_string(vertices) + " vertices");
  if (preferences.rows() > 0 && preferences.columns() > 0) return std::nullopt;
  const auto runs = static_cast<std::size_t>(preferences.columns());
  return pagerank_batch_result{preferences, std::vector<index_t>(runs, 0),
                               std::vector<double>(runs, 0), std::vector<bool>(runs, true)};
}

/// By the weights as values of R.
template <class R, value_type T>
pagerank_batch_result weighted_pageranks(const matrix<T>& graph,
                                         const full_matrix<double>& preferences,
                                         const pagerank_options& options) {
  check_arguments(graph, options);
  if (auto empty = empty_batch(graph.rows(), preferences)) return *std::move(empty);
  full_matrix<R> teleport = personal_teleports<R>(preferences);
  return power_iterations<R>(plus_times<R>{}, weighted_walk<R>(graph), std::move(teleport),
                             options);
}

/// By the pattern alone.
template <class R, value_type T>
pagerank_batch_result unweighted_pageranks(const matrix<T>& graph,
                                           const full_matrix<double>& preferences,
                                           const pagerank_options& options) {
  check_arguments(graph, options);
  if (auto empty = empty_batch(graph.rows(), preferences)) return *std::move(empty);
  full_matrix<R> teleport = personal_teleports<R>(preferences);
  return power_iterations<R>(plus_second<R, T, R>{}, unweighted_walk<R>(graph), std::move(teleport),
                             options);
}

}  // namespace detail

/// Ranks of all vertices for every column of `preferences`, vertices x runs: jumps of run s go to v
/// in proportion to preferences(v, s), and never to a vertex without an entry. Each column is that
/// of pagerank(graph, preferences.column(s), options) up to rounding; if rounding decides about
/// convergence, the number of iterations may differ by one. Throws as that does.
template <value_type T>
  requires(std::is_arithmetic_v<T>)
pagerank_batch_result pagerank_batch(const matrix<T>& graph, const full_matrix<double>& preferences,
                                     const pagerank_options& options = {}) {
  if (options.single)
    return options.weighted ? detail::weighted_pageranks<float>(graph, preferences, options)
                            : detail::unweighted_pageranks<float>(graph, preferences, options);
  return options.weighted ? detail::weighted_pageranks<double>(graph, preferences, options)
                          : detail::unweighted_pageranks<double>(graph, preferences, options);
}

}  // namespace tropic
