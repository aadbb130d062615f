// SPDX-License-Identifier: Apache-2.0
#pragma once

// Betweenness: for every vertex v, the sum over all pairs s, t of the part of the shortest paths
// from s to t, counted in edges, that pass through v. Brandes ("A faster algorithm for betweenness
// centrality", Journal of Mathematical Sociology 25, 2001, section 4) in the algebra as in LAGraph
// (Szarnyas et al., "LAGraph: linear algebra, network analysis libraries, and the study of graph
// algorithms", IPDPSW 2021, algorithm 4). From a source s
//
//   paths_d<!paths> = paths_(d-1) A    paths<paths_d> = paths_d     the number of shortest paths
//   share_d = (1 + dependency) / paths_d                  on level d, from the last to the second
//   dependency<level d-1> = paths_(d-1) (A share_d)
//
// and the dependencies of all sources are added. The first line is a round of iterate_until, the
// others one of iterate_back; on the CPU these loops are in src/backends/cpu/rounds/round_loop.cpp
// and iterate_back.cpp, on devices in rounds_by_rows.kernel and rounds_back.kernel. Every entry of
// A from level d - 1 to level d is on a shortest path, so the masks alone select the edges.
//
// Path counts are fp64. They are exact below 2^53, and rounded above. On roads and grids they grow
// exponentially: the middle of a grid of 1,100 x 1,100 has more than 1e308. If a level of a source
// has a larger count than 1e290, that source is computed again with the logarithms of counts, and
// sums of counts become
//
//   log_add(x, y) = max(x, y) + log(1 + exp(-|x - y|))
//
// Results are finite for every graph; of these sources about log2(largest logarithm) bits are lost.
//
// Threads of a CPU take a source each if the matrix is known to be symmetric and memory allows; the
// values do not depend on that.
//
// Vectors instead of full matrices of many sources: a level's cost is proportional to its edges,
// which matters on graphs with thousands of levels, and products choose between push and pull.
// Invariants: a vertex is in one level at most; `paths` has the union of the levels so far. Work
// O(vertices + edges) a source, with pull O(edges) for a dense level. Space: the level of every
// vertex and the vertices sorted by level, 13 bytes a vertex (on a device some 25); three more
// vectors; and the transpose of a matrix that is not known to be symmetric.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/independent.hpp>
#include <tropic/detail/random_bits.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/iterate.hpp>
#include <tropic/matrix.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct betweenness_options {
  /// Only paths from these vertices, each once, as an estimate; by default from all.
  std::optional<std::vector<index_t>> sources{};
  /// Divide by the number of pairs, so that values are at most 1.
  bool normalized = true;
  /// A path also passes through its two ends.
  bool endpoints = false;
  /// Whether (s, t) and (t, s) are two pairs, which matters without `normalized`; by default unless
  /// the matrix is known to be symmetric.
  std::optional<bool> directed{};
};

struct betweenness_result {
  vector<double> centrality;  // full: one value per vertex
  index_t sources = 0;
  index_t by_logarithms = 0;  // sources with a path count above 1e290
};

/// `count` vertices of 0 to n - 1, each once, ascending, the same ones for the same seed: a sample
/// of sources. Throws usage_error if there are fewer vertices. O(n).
inline std::vector<index_t> sample_of_vertices(index_t n, index_t count, std::uint64_t seed) {
  if (count < 0 || count > n)
    throw usage_error("betweenness: a sample of " + std::to_string(count) +
                      " vertices, the graph has " + std::to_string(n));
  std::vector<index_t> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), index_t{0});
  for (index_t at = 0; at < count; ++at) {
    const auto left = static_cast<std::uint64_t>(n - at);
    const auto bits = detail::random_bits(seed, static_cast<std::uint64_t>(at));
    std::swap(all[static_cast<std::size_t>(at)],
              all[static_cast<std::size_t>(at) + detail::below(left, bits)]);
  }
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

namespace detail {
TROPIC_BINARY_OPERATOR(share_of_a_path, (1 + y) / x);
TROPIC_BINARY_OPERATOR(log_share_of_a_path, t_log(1 + y) - x);
TROPIC_BINARY_OPERATOR(exp_of_sum, t_exp(x + y));
TROPIC_BINARY_OPERATOR(log_add, t_max(x, y) + t_log(1 + t_exp(-t_abs(x - y))));
// A finite identity: the difference of two infinite ones is NaN.
TROPIC_MONOID(log_plus_monoid, log_add, -1e300);

/// Path counts as numbers, up to `limit`.
struct path_counts {
  static constexpr double one = 1, limit = 1e290;
  template <value_type T>
  using forward = plus_first<double, double, T>;
  template <value_type T>
  using backward = plus_second<double, T, double>;
  using share = share_of_a_path;
  using combine = times;
};
/// Path counts as logarithms.
struct path_logarithms {
  static constexpr double one = 0, limit = 1e290;
  template <value_type T>
  using forward = semiring<log_plus_monoid<double>, first, double, T>;
  template <value_type T>
  using backward = semiring<log_plus_monoid<double>, second, T, double>;
  using share = log_share_of_a_path;
  using combine = exp_of_sum;
};

/// What one source adds.
struct source_dependencies {
  vector<double> of;     // full; 0 at the source
  vector<double> paths;  // an entry at every vertex that is reached, including the source
};

/// Nothing if a count exceeds the limit.
template <class Paths, value_type T>
std::optional<source_dependencies> dependencies(const matrix<T>& graph, index_t source) {
  const context where = graph.where();
  const index_t n = graph.rows();
  source_dependencies found{{where, n, 0.0}, {where, n}};
  found.paths.expect_dense();
  found.paths.set(source, Paths::one);
  vector<double> level(where, n);
  level.set(source, Paths::one);
  round_order levels;  // without the source
  iterate_until(found.paths, typename Paths::template forward<T>{}, level, graph,
                {.order = &levels, .name = "betweenness"});
  if (!(reduce(maximum_monoid<double>{}, found.paths) <= Paths::limit)) return std::nullopt;
  iterate_back(found.of, typename Paths::template backward<T>{}, graph, found.paths, levels,
               typename Paths::share{}, typename Paths::combine{}, "betweenness");
  return found;
}

inline void check(const betweenness_options& o, index_t n) {
  if (!o.sources) return;
  std::vector<index_t> sorted = *o.sources;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= n))
    throw usage_error("betweenness: source " +
                      std::to_string(sorted.front() < 0 ? sorted.front() : sorted.back()) +
                      ", the graph has " + std::to_string(n) + " vertices");
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw usage_error("betweenness: source " + std::to_string(*twice) + " is listed twice");
}

/// The factors of the sum over sources, as those of NetworkX 3.6: a sampled source is no end of the
/// pairs that begin at itself.
struct betweenness_scale {
  double source = 1, other = 1;
};
inline betweenness_scale scale_of(const betweenness_options& o, index_t n, index_t sources,
                                  bool directed) {
  const auto ends = static_cast<double>(o.endpoints ? n : n - 1);
  const auto count = static_cast<double>(sources);
  if (ends < 2 || sources == 0) return {};
  const double pairs = o.normalized ? 1 / (ends - 1) : ends / (directed ? 1 : 2);
  const double of_source = o.endpoints ? count : count - 1;
  // With one source there is no path through it.
  return {of_source > 0 ? pairs / of_source : 0, pairs / count};
}
}  // namespace detail

/// Betweenness of every vertex, in the definition and scale of NetworkX. An entry (i, j) of `graph`
/// is an edge from i to j, whatever its value; loops change nothing. Normalised values are divided
/// by (n - 1)(n - 2) pairs, or n (n - 1) with endpoints; estimates from k sources are scaled to
/// all. A single source gets 0 itself, as nothing is known about it, unless endpoints count. Throws
/// usage_error if the matrix is not square, or a source is not one of its rows or listed twice;
/// cancelled.
template <value_type T>
betweenness_result betweenness(const matrix<T>& graph, const betweenness_options& options = {}) {
  detail::check_square("betweenness", graph);
  const context where = graph.where();
  const index_t n = graph.rows();
  detail::check(options, n);
  const index_t count = options.sources ? static_cast<index_t>(options.sources->size()) : n;
  betweenness_result result{vector<double>(where, n, 0.0), count};
  std::vector<double> as_source(options.endpoints ? static_cast<std::size_t>(n) : 0, 0.0);
  const auto source_of = [&](index_t k) {
    return options.sources ? (*options.sources)[static_cast<std::size_t>(k)] : k;
  };
  // Sources that threads take at the same time, each with up to 96 bytes a vertex. They are added
  // in order. A matrix that needs its transpose gets it at some point, from which on sums of long
  // rows may round otherwise: one source after the other.
  const std::size_t bytes_of_source = std::size_t{96} * static_cast<std::size_t>(n);
  const index_t at_once =
      graph.is_symmetric() ? std::min(count, detail::independent_runs(where, bytes_of_source)) : 1;
  std::vector<std::optional<detail::source_dependencies>> found(static_cast<std::size_t>(at_once));
  std::vector<char> by_logarithms(found.size());
  for (index_t first = 0; first < count; first += at_once) {
    where.checkpoint("betweenness", static_cast<double>(first) / static_cast<double>(count));
    const index_t here = std::min(at_once, count - first);
    detail::run_independently(where, here, [&](index_t k) {
      auto& of_source = found[static_cast<std::size_t>(k)];
      of_source = detail::dependencies<detail::path_counts>(graph, source_of(first + k));
      by_logarithms[static_cast<std::size_t>(k)] = !of_source;
      if (!of_source)
        of_source = detail::dependencies<detail::path_logarithms>(graph, source_of(first + k));
    });
    for (index_t k = 0; k < here; ++k) {
      const auto& of_source = found[static_cast<std::size_t>(k)];
      const index_t source = source_of(first + k);
      result.by_logarithms += by_logarithms[static_cast<std::size_t>(k)];
      assign(result.centrality, of_source->of, {.accumulate = plus{}});
      if (!options.endpoints) continue;
      // 1 for every path's end, and at the source, which it is added to as well, one for each end.
      assign(result.centrality, 1.0, {.mask = structure(of_source->paths), .accumulate = plus{}});
      as_source[static_cast<std::size_t>(source)] =
          static_cast<double>(of_source->paths.nvals() - 2);
    }
  }
  if (options.endpoints)
    assign(result.centrality, vector<double>::from_array(where, std::move(as_source)),
           {.accumulate = plus{}});
  const detail::betweenness_scale scale =
      detail::scale_of(options, n, count, options.directed.value_or(!graph.is_symmetric()));
  vector<double> of_sources(where, n), factors(where, n);
  if (options.sources) {
    for (const index_t source : *options.sources) factors.set(source, scale.source);
    ewise_multiply(of_sources, times{}, result.centrality, factors);
  }
  apply(result.centrality, bind_second(times{}, options.sources ? scale.other : scale.source),
        result.centrality);
  assign(result.centrality, of_sources, {.mask = structure(of_sources)});
  return result;
}

}  // namespace tropic
