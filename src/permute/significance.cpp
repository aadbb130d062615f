// SPDX-License-Identifier: Apache-2.0

// Whether two histograms differ by more than chance.
//
// The bootstrap of Jain et al., section 5, "to show that the difference is significant": under the
// null hypothesis both histograms count entries of the pooled distribution, so pairs of histograms
// drawn from it show which differences occur by chance. Drawing n entries one by one would cost as
// much as there are entries; instead every bin is drawn from a Poisson distribution whose mean is
// its share of n (the Poisson bootstrap, Chamandy et al., "Estimating uncertainty for massive data
// streams", 2012): the draws are independent, and given their sum they are distributed as n entries
// are. O(bins) per resample.
//
// Poisson numbers: products of uniform numbers for means below 10 (Knuth, TAOCP 3.4.1), otherwise
// Hoermann's transformed rejection ("The transformed rejection method for generating Poisson random
// variables", 1993, algorithm PTRS): constant time for any mean.

#include <tropic/measures.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tropic/detail/random_bits.hpp>
#include <tropic/detail/threads.hpp>

namespace tropic {

namespace {

std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void check_comparable(const char* name, std::span<const std::uint64_t> first,
                      std::span<const std::uint64_t> second) {
  if (first.size() != second.size())
    throw usage_error(std::string(name) + ": one histogram has " + std::to_string(first.size()) +
                      " bins, the other " + std::to_string(second.size()));
  if (sum_of(first) == 0 || sum_of(second) == 0)
    throw usage_error(std::string(name) + ": a histogram has no entries");
}

// The Kullback-Leibler divergences from the mean of the two distributions, bin by bin: no
// difference of large numbers, so that equal distributions give exactly 0.
double distance_of(std::span<const std::uint64_t> first, std::span<const std::uint64_t> second) {
  const auto all_first = static_cast<double>(sum_of(first));
  const auto all_second = static_cast<double>(sum_of(second));
  double divergence = 0;
  for (std::size_t bin = 0; bin < first.size(); ++bin) {
    const double p = static_cast<double>(first[bin]) / all_first;
    const double q = static_cast<double>(second[bin]) / all_second;
    const double middle = (p + q) / 2;
    if (p > 0) divergence += p * std::log2(p / middle);
    if (q > 0) divergence += q * std::log2(q / middle);
  }
  return std::sqrt(std::clamp(divergence / 2, 0.0, 1.0));
}

// The numbers of a stream in turn.
struct draws {
  std::uint64_t stream;
  std::uint64_t count = 0;
  double next() { return detail::unit_interval(detail::random_bits(stream, count++)); }
};

// log(n!), by Stirling's series from 10 on; std::lgamma is not thread-safe.
double log_factorial(double n) {
  double shift = 0;
  for (; n < 10; ++n) shift += std::log(n + 1);
  constexpr double half_log_two_pi = 0.918938533204672742;
  const double x = n + 1, square = x * x;
  return (x - 0.5) * std::log(x) - x + half_log_two_pi +
         (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / x - shift;
}

std::uint64_t poisson(double mean, draws& random) {
  if (mean <= 0) return 0;
  if (mean < 10) {
    const double limit = std::exp(-mean);
    std::uint64_t count = 0;
    for (double product = random.next(); product > limit; product *= random.next()) ++count;
    return count;
  }
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), fits = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = random.next() - 0.5, v = random.next(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= fits) return static_cast<std::uint64_t>(k);
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inverse_alpha / (a / (us * us) + b)) <=
        k * std::log(mean) - mean - log_factorial(k))
      return static_cast<std::uint64_t>(k);
  }
}

void resample(histogram& into, const std::vector<double>& pooled, std::uint64_t entries,
              draws& random) {
  for (std::size_t bin = 0; bin < pooled.size(); ++bin)
    into[bin] = poisson(pooled[bin] * static_cast<double>(entries), random);
}

template <class Statistic>
significance bootstrap(const char* name, std::span<const std::uint64_t> first,
                       std::span<const std::uint64_t> second, const bootstrap_options& options,
                       const Statistic& statistic) {
  check_comparable(name, first, second);
  if (options.resamples < 1)
    throw usage_error(std::string(name) + ": " + std::to_string(options.resamples) +
                      " resamples, needed 1 or more");
  const std::uint64_t n_first = sum_of(first), n_second = sum_of(second);
  std::vector<double> pooled(first.size());
  for (std::size_t bin = 0; bin < pooled.size(); ++bin)
    pooled[bin] =
        static_cast<double>(first[bin] + second[bin]) / static_cast<double>(n_first + n_second);
  significance found;
  found.statistic = statistic(first, second);
  int as_large = 0;
  const int threads = options.threads == 0 ? 1 : detail::checked_threads(options.threads);
#pragma omp parallel num_threads(threads) reduction(+ : as_large)
  {
    histogram one(pooled.size()), other(pooled.size());
#pragma omp for schedule(static)
    for (int n = 0; n < options.resamples; ++n) {
      const std::uint64_t stream =
          detail::random_bits(detail::mix(options.seed), static_cast<std::uint64_t>(n));
      draws random{stream};
      resample(one, pooled, n_first, random);
      resample(other, pooled, n_second, random);
      // A resample that happens to be empty does not contradict the hypothesis.
      as_large +=
          sum_of(one) == 0 || sum_of(other) == 0 || statistic(one, other) >= found.statistic;
    }
  }
  found.p_value = (1.0 + as_large) / (1.0 + options.resamples);
  return found;
}

}  // namespace

double jensen_shannon_distance(std::span<const std::uint64_t> first,
                               std::span<const std::uint64_t> second) {
  check_comparable("jensen_shannon_distance", first, second);
  return distance_of(first, second);
}

significance entropy_difference(std::span<const std::uint64_t> first,
                                std::span<const std::uint64_t> second,
                                const bootstrap_options& options) {
  return bootstrap("entropy_difference", first, second, options,
                   [](auto p, auto q) { return std::abs(entropy(p) - entropy(q)); });
}

significance distribution_difference(std::span<const std::uint64_t> first,
                                     std::span<const std::uint64_t> second,
                                     const bootstrap_options& options) {
  return bootstrap("distribution_difference", first, second, options,
                   [](std::span<const std::uint64_t> p, std::span<const std::uint64_t> q) {
                     return distance_of(p, q);
                   });
}

}  // namespace tropic
