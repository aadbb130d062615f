// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/candidates.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/input/progress.hpp"

namespace tropic::cli {

namespace {

// A candidate with a copy of the matrix of its own, which shares the arrays and keeps what the
// kernel converts.
struct entrant {
  detail::matrix_base matrix;
  plan forced;
  int calls = 1;
  std::vector<double> seconds;
};

// What the first call had to build: formats say what they took, columns in another order too.
double conversion_of(const detail::matrix_base& m) {
  const std::lock_guard lock(m.derived->mutex);
  double sum = m.derived->hot != nullptr ? m.derived->hot->seconds : 0;
  for (const auto& [name, format] : m.derived->formats) sum += format->seconds;
  return sum;
}

}  // namespace

double seconds_of_products(const context& where, const product_input& input,
                           const detail::matrix_base& matrix, const plan& forced,
                           detail::vector_base& w, int calls) {
  detail::output_options<detail::vector_base> how;
  how.forced = &forced;
  where.synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < calls; ++n) {
    where.checkpoint("measuring");
    detail::multiply("mxv", w, input.semiring, {.matrix = matrix}, input.x,
                     detail::factor_order::matrix_first, how);
  }
  where.synchronize();
  return seconds_since(start);
}

std::vector<measured_candidate> measure(const context& where, const product_input& input,
                                        const std::vector<plan_candidate>& candidates, int rounds) {
  constexpr double least_seconds = 2e-3;
  std::vector<measured_candidate> made(candidates.size());
  std::vector<entrant> all(candidates.size());
  detail::vector_base w =
      detail::empty_vector(where.state(), input.semiring.z(), input.matrix.rows);
  const auto seconds_of = [&](const entrant& e, int calls) {
    return seconds_of_products(where, input, e.matrix, e.forced, w, calls);
  };
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    if (!candidates[n].why_not.empty()) continue;
    entrant& e = all[n];
    e.matrix = input.matrix;
    e.matrix.derived = detail::make_derived_copies();
    e.forced.kernel = candidates[n].kernel;
    e.forced.hot_columns = candidates[n].hot_columns;
    if (where.state()->device_memory != nullptr) {  // programs are compiled, and loaded, once
      entrant before = e;
      before.matrix.derived = detail::make_derived_copies();
      seconds_of(before, 1);
    }
    // A short conversion waits for memory now and then: the middle of three.
    constexpr double is_long = 5e-3;
    std::vector<double> conversions;
    double once = 0;
    do {
      e.matrix.derived = detail::make_derived_copies();
      const double first = seconds_of(e, 1);
      once = seconds_of(e, 1);
      conversions.push_back(e.matrix.derived->transpose != nullptr ? std::max(0.0, first - once)
                                                                   : conversion_of(e.matrix));
    } while (conversions.size() < 3 && conversions.back() > 0 && conversions.back() < is_long);
    made[n].ran = true;
    made[n].conversion = median(conversions);
    e.calls = std::clamp(static_cast<int>(least_seconds / std::max(once, 1e-7)), 1, 200);
  }
  // In another order each round, so that none always comes after the one that leaves the caches,
  // and the clock, at their worst.
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::ranges::shuffle(order, random);
    for (const std::size_t n : order) {
      if (!made[n].ran) continue;
      if (all[n].calls > 1) seconds_of(all[n], 1);  // warms up
      all[n].seconds.push_back(seconds_of(all[n], all[n].calls) / all[n].calls);
    }
  }
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (!made[n].ran) continue;
    std::vector<double>& s = all[n].seconds;
    std::ranges::sort(s);
    made[n].each = median(s);
    made[n].noise = (s[3 * s.size() / 4] - s[s.size() / 4]) / made[n].each;
  }
  return made;
}

}  // namespace tropic::cli
