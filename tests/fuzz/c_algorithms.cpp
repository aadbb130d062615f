// SPDX-License-Identifier: Apache-2.0

// Searches and ranks.

#include <cmath>

#include "c_session.hpp"

namespace tropic::fuzz {

void session::search() {
  auto& a = matrix();
  const int64_t source = index();
  const bool shortest = in_.rarely(2), no_options = in_.rarely(3);
  const bool no[] = {null(), in_.rarely(8), in_.rarely(8)};
  tropic_sssp_options options = TROPIC_SSSP_OPTIONS_INIT;
  options.size = odd_size(sizeof options);
  constexpr double deltas[] = {0, 1, 0.25, 1e300, -1, INFINITY, NAN, 1e-300};
  options.delta = deltas[in_.below(8)];
  twin<tropic_vector> first, second;
  const tropic_status status = in_both("a search", [&](int w) {
    tropic_vector** one = or_null(&first.of[w], no[1]);
    tropic_vector** two = or_null(&second.of[w], no[2]);
    const tropic_matrix* graph = or_null(a.of[w], no[0]);
    return shortest ? tropic_sssp(graph, source, or_null(&options, no_options), one, two)
                    : tropic_bfs(graph, source, one, two);
  });
  require(bool(first) == (status == TROPIC_OK && !no[1]) &&
              bool(second) == (status == TROPIC_OK && !no[2]),
          "results of a search and its status");
  keep(std::move(first));
  keep(std::move(second));
}

void session::rank() {
  auto& a = matrix();
  auto& preference = vector();
  tropic_pagerank_options options = TROPIC_PAGERANK_OPTIONS_INIT;
  options.size = odd_size(sizeof options);
  constexpr double numbers[] = {0.85, 0.5, 0, 1, -1, 2, NAN, INFINITY};
  options.damping = numbers[in_.below(8)];
  options.tolerance = numbers[in_.below(8)] / 1e6;
  options.max_iterations = static_cast<int64_t>(in_.below(8)) - 1;
  options.iterations = static_cast<int64_t>(in_.below(8)) - 2;
  options.weighted = in_.rarely(2) ? 1 : 0;
  const bool prefers = in_.rarely(3), no_options = in_.rarely(8);
  const bool no[] = {null(), null(), in_.rarely(4), in_.rarely(4)};
  in_both("tropic_pagerank", [&](int w) {
    options.preference = prefers ? preference.of[w] : nullptr;
    tropic_vector* ranks = nullptr;
    int64_t iterations = -1;
    double change = 0;
    const tropic_status status = tropic_pagerank(
        or_null(a.of[w], no[0]), or_null(&options, no_options), or_null(&ranks, no[1]),
        or_null(&iterations, no[2]), or_null(&change, no[3]));
    require((ranks != nullptr) == (status == TROPIC_OK), "tropic_pagerank");
    if (ranks != nullptr) {
      const pairs found = pairs_of(ranks);
      require(static_cast<int64_t>(found.indices.size()) == size_of(ranks), "ranks with gaps");
      check_ranks(w, found);
    }
    tropic_vector_free(ranks);
    return status;
  });
}
void session::check_ranks(int world, const pairs& found) {
  std::vector<double> ranks(found.indices.size());
  if (!ranks.empty()) std::memcpy(ranks.data(), found.values.data(), found.values.size());
  if (world == 0) {
    ranks_ = std::move(ranks);
    return;
  }
  // Sums in another order may meet a tolerance one iteration earlier.
  for (std::size_t v = 0; v < ranks.size(); ++v)
    if (std::isfinite(ranks[v]) && std::isfinite(ranks_[v]))
      require(std::fabs(ranks[v] - ranks_[v]) < 1e-4, "tropic_pagerank: other ranks");
}

}  // namespace tropic::fuzz
