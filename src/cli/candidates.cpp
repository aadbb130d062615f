// SPDX-License-Identifier: Apache-2.0
#include "cli/candidates.hpp"

#include <algorithm>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/progress.hpp"

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

class race {
 public:
  race(const context& where, const product_input& input) : where_(where), input_(input) {
    w_ = detail::empty_vector(where.state(), input.semiring.z(), input.matrix.rows);
  }

  double seconds_of(const entrant& e, int calls) {
    detail::output_options<detail::vector_base> how;
    how.forced = &e.forced;
    where_.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < calls; ++n) {
      where_.checkpoint("measuring");
      detail::multiply("mxv", w_, input_.semiring, e.matrix, false, input_.x, false, how);
    }
    where_.synchronize();
    return seconds_since(start);
  }

  // What the first call had to build, by itself: a fresh transpose, columns in another order, or
  // what formats say that they took.
  double conversion_of(const entrant& e) const {
    const std::lock_guard lock(e.matrix.derived->mutex);
    double sum = e.matrix.derived->hot != nullptr ? e.matrix.derived->hot->seconds : 0;
    for (const auto& [name, format] : e.matrix.derived->formats) sum += format->seconds;
    return sum;
  }

 private:
  const context& where_;
  const product_input& input_;
  detail::vector_base w_;
};

}  // namespace

std::vector<measured_candidate> measure(const context& where, const product_input& input,
                                        const std::vector<plan_candidate>& candidates, int rounds) {
  constexpr double least_seconds = 2e-3;
  std::vector<measured_candidate> made(candidates.size());
  std::vector<entrant> all(candidates.size());
  race r(where, input);
  const auto kernels = where.state()->executor->kernels();
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    if (!candidates[n].why_not.empty()) continue;
    entrant& e = all[n];
    e.matrix = input.matrix;
    e.matrix.derived = std::make_shared<detail::derived_copies>();
    e.forced.kernel = *std::ranges::find(kernels, candidates[n].kernel);
    e.forced.hot_columns = candidates[n].hot_columns;
    const double first = r.seconds_of(e, 1);
    const double once = r.seconds_of(e, 1);
    made[n].ran = true;
    made[n].conversion =
        e.matrix.derived->transpose != nullptr ? std::max(0.0, first - once) : r.conversion_of(e);
    e.calls = std::clamp(static_cast<int>(least_seconds / std::max(once, 1e-7)), 1, 200);
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t n = 0; n < all.size(); ++n)
      if (made[n].ran) all[n].seconds.push_back(r.seconds_of(all[n], all[n].calls) / all[n].calls);
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
