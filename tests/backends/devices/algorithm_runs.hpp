// SPDX-License-Identifier: Apache-2.0
#pragma once

// Each algorithm as tests of cancellation and failures use it: prepared and run in any context,
// with all of its results as text, for comparison.

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tropic/algorithms/betweenness.hpp>
#include <tropic/algorithms/bfs.hpp>
#include <tropic/algorithms/bfs_batch.hpp>
#include <tropic/algorithms/closeness.hpp>
#include <tropic/algorithms/connected_components.hpp>
#include <tropic/algorithms/core_numbers.hpp>
#include <tropic/algorithms/diameter.hpp>
#include <tropic/algorithms/greedy_coloring.hpp>
#include <tropic/algorithms/k_truss.hpp>
#include <tropic/algorithms/label_propagation.hpp>
#include <tropic/algorithms/leiden.hpp>
#include <tropic/algorithms/local_clustering.hpp>
#include <tropic/algorithms/louvain.hpp>
#include <tropic/algorithms/maximal_independent_set.hpp>
#include <tropic/algorithms/minimum_spanning_forest.hpp>
#include <tropic/algorithms/pagerank.hpp>
#include <tropic/algorithms/pagerank_batch.hpp>
#include <tropic/algorithms/power_centrality.hpp>
#include <tropic/algorithms/similarity.hpp>
#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/strong_components.hpp>
#include <tropic/algorithms/triangle_count.hpp>
#include <tropic/read_matrix.hpp>

namespace tropic::testing {

/// A run over a graph that is kept, so that it can be repeated.
using algorithm_run = std::function<std::vector<double>()>;

struct named_algorithm {
  std::string name;
  std::function<algorithm_run(const context&, const io::coordinates& weighted)> on;
  bool exact = true;  // whether results are the same on every backend; otherwise up to rounding
  // On a device: checks for cancellation and allocates in every iteration; otherwise there is one
  // check before the first allocation.
  bool iterates = true;
};

template <class... T>
std::vector<double> all_of(const std::vector<T>&... parts) {
  std::vector<double> all;
  (all.insert(all.end(), parts.begin(), parts.end()), ...);
  return all;
}

/// Over int64 weights.
inline const std::vector<named_algorithm>& algorithms() {
  using graph = matrix<std::int64_t>;
  static const auto make = [](const context& where, const io::coordinates& entries) {
    return std::make_shared<const graph>(make_matrix<std::int64_t>(where, entries));
  };
  static const std::vector<named_algorithm> all{
      {"bfs",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const bfs_result found = bfs(*a, 1);
           return all_of(found.level.dense(-1), found.parent.dense(-1));
         };
       }},
      {"bfs batch",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<index_t> sources{1, 0, 3};
           const bfs_batch_result found = bfs_batch(*a, sources);
           return all_of(found.level.dense(-1), found.parent.dense(-1));
         };
       }},
      {"diameter",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const diameter_result found = diameter(*a, {.exact = true});
           return all_of(std::vector<index_t>{found.lower, found.upper, found.from, found.to});
         };
       }},
      {"components",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<index_t> labels = connected_components(*a).label.dense(-1);
           return std::vector<double>(labels.begin(), labels.end());
         };
       },
       true, false},
      {"sssp",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const auto found = sssp(*a, 1);
           return all_of(found.distance.dense(-1), found.parent.dense(-1));
         };
       }},
      {"triangles",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           std::vector<double> counts{static_cast<double>(triangle_count(*a))};
           for (const std::int64_t count : triangles_per_vertex(*a).dense(0))
             counts.push_back(static_cast<double>(count));
           return counts;
         };
       }},
      {"cores",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] { return all_of(core_numbers(*a).core.dense(-1)); };
       },
       true, false},
      {"strong components",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         // Most edges of the graph have both directions: one of them is removed from every other.
         io::coordinates kept = entries;
         kept.row.clear();
         kept.column.clear();
         for (std::size_t e = 0; e < entries.row.size(); ++e)
           if (entries.row[e] < entries.column[e] ||
               (entries.row[e] + entries.column[e]) % 2 == 0) {
             kept.row.push_back(entries.row[e]);
             kept.column.push_back(entries.column[e]);
           }
         const auto a = std::make_shared<const matrix<bool>>(matrix<bool>::from_pattern(
             where, entries.rows, entries.columns, kept.row, kept.column, true));
         return [a] { return all_of(strong_components(*a).label.dense(-1)); };
       }},
      {"clustering",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] { return local_clustering(*a).dense(-1); };
       }},
      {"truss",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const k_truss_result found = k_truss(*a, 4);
           std::vector<double> all{static_cast<double>(found.edges)};
           const auto csr = found.support.to(context::cpu()).to_csr<index_t>();
           for (const std::uint32_t column : csr.indices.data) all.push_back(column);
           for (const std::uint32_t triangles : csr.values.data) all.push_back(triangles);
           return all;
         };
       }},
      {"independent set",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<bool> members = maximal_independent_set(*a, 3).members.dense(false);
           return std::vector<double>(members.begin(), members.end());
         };
       }},
      {"coloring",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return
             [a = make(where, entries)] { return all_of(greedy_coloring(*a, 3).color.dense(-1)); };
       }},
      {"spanning forest",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const auto found = minimum_spanning_forest(*a);
           const auto coo = found.forest.to(context::cpu()).to_coo();
           std::vector<double> all{found.weight};
           all.insert(all.end(), coo.rows.begin(), coo.rows.end());
           all.insert(all.end(), coo.columns.begin(), coo.columns.end());
           return all;
         };
       }},
      {"betweenness",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const betweenness_options options{.sources = std::vector<index_t>{1, 7}};
           return all_of(betweenness(*a, options).centrality.dense(-1));
         };
       },
       false},
      {"label_propagation",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<index_t> labels = label_propagation(*a, 2).label.dense(-1);
           return std::vector<double>(labels.begin(), labels.end());
         };
       }},
      {"hits and katz",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const hits_result both = hits(*a, {.tolerance = 1e-3});
           const std::vector<double> values =
               all_of(both.hubs.dense(-1), both.authorities.dense(-1));
           return all_of(values, katz_centrality(*a, {.alpha = 1e-4}).centrality.dense(-1));
         };
       },
       false},
      {"leiden",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] { return all_of(leiden(*a).community.dense(-1)); };
       }},
      {"louvain",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<index_t> communities = louvain(*a).community.dense(-1);
           return std::vector<double>(communities.begin(), communities.end());
         };
       }},
      {"similarity",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           const std::vector<index_t> from{0, 1, 2}, to{3, 3, 5};
           std::vector<double> all = similarity(*a, from, to, similarity_measure::cosine).dense(-1);
           const auto coo =
               similar_pairs(*a, {.threshold = 0.2, .top = 3, .chunk = 20000}).value.to_coo();
           all.insert(all.end(), coo.columns.begin(), coo.columns.end());
           all.insert(all.end(), coo.values.begin(), coo.values.end());
           return all;
         };
       }},
      {"pagerank",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         return [a = make(where, entries)] {
           return all_of(pagerank(*a, {.iterations = 8}).rank.dense(0));
         };
       },
       false},
      {"pagerank batch",
       [](const context& where, const io::coordinates& entries) -> algorithm_run {
         const auto a = make(where, entries);
         full_matrix<double> preferences(where, a->rows(), 2);
         for (index_t v = 0; v < a->rows(); ++v) preferences.set(v, v % 2, 1);
         return [a, preferences] {
           return all_of(pagerank_batch(*a, preferences, {.iterations = 8}).rank.dense(0));
         };
       },
       false}};
  return all;
}

/// Whether the result of a run is correct.
inline bool is_right(const named_algorithm& algorithm, const std::vector<double>& expected,
                     const std::vector<double>& found) {
  if (algorithm.exact || expected.size() != found.size()) return expected == found;
  double distance = 0;
  for (std::size_t v = 0; v < found.size(); ++v) distance += std::abs(expected[v] - found[v]);
  return distance <= 1e-6;
}

}  // namespace tropic::testing
