// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/candidates.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/timer.hpp"

namespace tropic::cli {

namespace {

// A candidate with its own copy of the matrix, which shares the arrays and keeps the conversions of
// the kernel.
struct contestant {
  std::size_t candidate;  // its position among the candidates
  detail::matrix_base matrix;
  plan forced;
  int calls = 1;
  std::vector<double> seconds{};
};

// The seconds of the conversions that the first call needed.
double conversion_of(const detail::matrix_base& m) {
  const std::lock_guard lock(m.derived->mutex);
  double sum = m.derived->hot != nullptr ? m.derived->hot->seconds : 0;
  for (const auto& [name, format] : m.derived->formats) sum += format->seconds;
  return sum;
}

// Runs the candidates of one input.
class contest {
 public:
  contest(const context& where, const product_input& input)
      : where_(where),
        input_(input),
        w_(detail::empty_vector(where.state(), input.semiring.z(), input.matrix.rows)) {}

  contestant contestant_for(const plan_candidate& candidate, std::size_t position) const {
    contestant e{position, input_.matrix, {}};
    e.forced.kernel = candidate.kernel;
    e.forced.hot_columns = candidate.hot_columns;
    return e;
  }

  // The seconds of the conversion. Sets the number of calls of a round.
  double convert(contestant& e) {
    const auto forget = [&] { e.matrix.derived = std::make_shared<detail::derived_copies>(); };
    if (where_.state()->device_memory != nullptr) {  // compiles and loads the programs
      forget();
      seconds_of(e, 1);
    }
    // Short conversions sometimes wait for memory: the median of three.
    constexpr double is_long = 5e-3, minimum_seconds = 2e-3;
    std::vector<double> conversions;
    double once = 0;
    do {
      forget();
      const double first = seconds_of(e, 1);
      once = seconds_of(e, 1);
      conversions.push_back(e.matrix.derived->transpose != nullptr ? std::max(0.0, first - once)
                                                                   : conversion_of(e.matrix));
    } while (conversions.size() < 3 && conversions.back() > 0 && conversions.back() < is_long);
    e.calls = std::clamp(static_cast<int>(minimum_seconds / std::max(once, 1e-7)), 1, 200);
    return median(conversions);
  }

  // In a different order in each round, so that no candidate always follows the one that leaves the
  // caches and the clock rate in the worst state.
  void run_rounds(std::vector<contestant>& all, int rounds) {
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1);
    for (int round = 0; round < rounds; ++round) {
      std::ranges::shuffle(order, random);
      for (const std::size_t n : order) {
        contestant& e = all[n];
        if (e.calls > 1) seconds_of(e, 1);  // warms up
        e.seconds.push_back(seconds_of(e, e.calls) / e.calls);
      }
    }
  }

 private:
  double seconds_of(const contestant& e, int calls) {
    return seconds_of_products(where_, input_, e.matrix, e.forced, w_, calls);
  }

  const context& where_;
  const product_input& input_;
  detail::vector_base w_;
};

}  // namespace

double seconds_of_products(const context& where, const product_input& input,
                           const detail::matrix_base& matrix, const plan& forced,
                           detail::vector_base& w, int calls) {
  detail::output_options<detail::vector_base> options;
  options.forced = &forced;
  where.synchronize();
  const auto start = clock::now();
  for (int n = 0; n < calls; ++n) {
    where.checkpoint("measuring");
    detail::multiply("mxv", w, input.semiring, matrix, false, input.x, false, options);
  }
  where.synchronize();
  return seconds_since(start);
}

std::vector<measured_candidate> measure(const context& where, const product_input& input,
                                        const std::vector<plan_candidate>& candidates, int rounds) {
  contest runs(where, input);
  std::vector<measured_candidate> results(candidates.size());
  std::vector<contestant> all;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    if (!candidates[n].why_not.empty()) continue;
    all.push_back(runs.contestant_for(candidates[n], n));
    results[n].ran = true;
    results[n].conversion = runs.convert(all.back());
  }
  runs.run_rounds(all, rounds);
  for (contestant& e : all) {
    std::ranges::sort(e.seconds);
    measured_candidate& result = results[e.candidate];
    const std::size_t count = e.seconds.size();
    result.call = median(e.seconds);
    result.noise = (e.seconds[3 * count / 4] - e.seconds[count / 4]) / result.call;
  }
  return results;
}

}  // namespace tropic::cli
