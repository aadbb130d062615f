// SPDX-License-Identifier: Apache-2.0
#include "io/generators/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tropic/detail/hash.hpp>

namespace tropic::shapes {
namespace {

using enum row_lengths;

// As in the paper's table, which rounds. LP's rows follow from its mean.
constexpr shape shapes[] = {
    {"dense", 2'000, 2'000, 4'000'000, 2'000, 2'000, near_mean},
    {"protein", 36'000, 36'000, 4'300'000, 18, 204, near_mean, 4'000},
    {"spheres", 83'000, 83'000, 6'000'000, 1, 81, near_mean, 4'000},
    {"cantilever", 62'000, 62'000, 4'000'000, 1, 78, near_mean, 2'000},
    {"wind_tunnel", 218'000, 218'000, 11'600'000, 2, 180, near_mean, 4'000},
    {"harbor", 47'000, 47'000, 2'400'000, 4, 145, near_mean, 4'000},
    {"qcd", 49'000, 49'000, 1'911'000, 39, 39, near_mean, 6'000},
    {"ship", 141'000, 141'000, 7'800'000, 24, 102, near_mean, 6'000},
    {"economics", 207'000, 207'000, 1'300'000, 1, 44, few_long},
    {"epidemiology", 526'000, 526'000, 2'100'000, 2, 4, near_mean, 2'000},
    {"accelerator", 121'000, 121'000, 2'600'000, 0, 81, wide, 8'000},
    {"circuit", 171'000, 171'000, 959'000, 1, 353, few_long},
    {"webbase", 1'000'000, 1'000'000, 3'100'000, 1, 4'700, power_law},
    {"lp", 4'300, 1'100'000, 11'300'000, 1, 56'200, few_long},
    {"asic_680k", 683'000, 683'000, 3'900'000, 1, 395'000, few_long, 0, true},
    {"boyd2", 466'000, 466'000, 1'500'000, 2, 93'000, few_long, 0, true},
    {"dc2", 117'000, 117'000, 766'000, 1, 114'000, few_long, 0, true},
    {"ins2", 309'000, 309'000, 2'800'000, 5, 309'000, few_long, 0, true},
    {"rajat21", 412'000, 412'000, 1'900'000, 1, 119'000, few_long, 0, true},
    {"transient", 179'000, 179'000, 962'000, 1, 60'000, few_long, 0, true},
};

// Counter-based random numbers: any thread may generate any row.
constexpr std::uint64_t random_bits(std::uint64_t stream, std::uint64_t counter) {
  return detail::mix(stream * 0xd1342543de82ef95U + (counter + 1) * detail::golden);
}
enum stream : std::uint64_t { of_length = 1, of_column, of_order, of_permutation };

/// The length at quantile `u` of a distribution that grows with `parameter`, from 0 to 1.
std::int64_t length_at(const shape& s, double u, double parameter) {
  const auto low = static_cast<double>(s.shortest), high = static_cast<double>(s.longest);
  double length = low;
  switch (s.lengths) {
    case near_mean: {
      const double middle = low + parameter * (high - low), v = 2 * u - 1, z = v * v * v;
      length = std::round(middle + z * (z < 0 ? middle - low : high - middle));
      break;
    }
    case wide:
      length = std::round(low + (high - low) * std::pow(u, 1 / (1e-3 + 20 * parameter)));
      break;
    case few_long: {
      const double scale = parameter * parameter * (high - low);
      length = low + std::floor(-scale * std::log1p(-u));
      break;
    }
    case power_law: {
      const double b = 0.05 + 8 * (1 - parameter);
      length = std::floor(low * std::pow(1 - u * (1 - std::pow(high / low, -b)), -1 / b));
      break;
    }
  }
  return static_cast<std::int64_t>(std::clamp(length, low, high));
}

/// The parameter for which lengths have that mean.
double parameter_for(const shape& s, double mean) {
  constexpr int quantiles = 4096;
  double low = 0, high = 1;
  for (int step = 0; step < 40; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (int q = 0; q < quantiles; ++q)
      sum += static_cast<double>(length_at(s, (q + 0.5) / quantiles, middle));
    (sum / quantiles < mean ? low : high) = middle;
  }
  return low;
}

std::vector<std::int64_t> lengths_of(const shape& s, int threads) {
  const auto rows = static_cast<std::size_t>(s.rows);
  // The lengths that are fixed beforehand: the longest, decreasing lengths below it if a few rows
  // are long, and the shortest.
  std::vector<std::int64_t> fixed = {s.longest};
  if (s.lengths == few_long)
    for (std::int64_t length = s.longest / 4; length > 8 * s.entries / s.rows; length /= 4)
      fixed.push_back(length);
  fixed.push_back(s.shortest);
  const auto rest =
      static_cast<double>(s.entries - std::accumulate(fixed.begin(), fixed.end(), std::int64_t{0}));
  const double parameter =
      parameter_for(s, rest / static_cast<double>(rows - std::min(rows - 1, fixed.size())));
  std::vector<std::int64_t> lengths(rows);
#pragma omp parallel for num_threads(threads)
  for (std::size_t r = 0; r < rows; ++r)
    lengths[r] =
        length_at(s, static_cast<double>(random_bits(of_length, r) >> 11) * 0x1p-53, parameter);
  // A scrambled order of the rows: a step that is coprime to the number of rows.
  std::size_t stride = rows * 5 / 8 + 1;
  while (std::gcd(stride, rows) != 1) ++stride;
  std::size_t at = random_bits(of_order, rows) % rows;
  const auto next = [&] { return at = (at + stride) % rows; };
  for (const std::int64_t length : fixed) lengths[next()] = length;
  const std::size_t free_begin = at;
  // Adds or removes the difference one entry at a time.
  std::int64_t left = s.entries - std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  for (bool changed = true; left != 0 && changed;) {
    changed = false;
    at = free_begin;
    for (std::size_t k = fixed.size(); k < rows && left != 0; ++k) {
      std::int64_t& length = lengths[next()];
      const std::int64_t wanted = std::clamp(length + (left > 0 ? 1 : -1), s.shortest, s.longest);
      left -= wanted - length;
      changed = changed || wanted != length;
      length = wanted;
    }
  }
  return lengths;
}

}  // namespace

std::span<const shape> of_papers() {
  return shapes;
}

const shape* of_papers(std::string_view name) {
  const auto* found = std::ranges::find(shapes, name, &shape::name);
  return found == std::end(shapes) ? nullptr : found;
}

shape shrunk(shape s, std::int64_t divisor) {
  if (divisor <= 1) return s;
  const bool square = s.rows == s.columns;
  s.rows = std::max<std::int64_t>(16, s.rows / divisor);
  s.columns = square ? s.rows : std::max(s.rows, s.columns / divisor);
  if (s.shortest == s.longest) s.shortest = s.longest = std::min(s.longest, s.columns);
  const std::int64_t mean =
      std::min(s.columns, std::max<std::int64_t>(1, s.entries / divisor / s.rows));
  const bool long_rows = s.lengths == few_long || s.lengths == power_law;
  s.longest = std::min(s.columns, long_rows ? std::max(s.longest / divisor, 4 * mean) : s.longest);
  s.shortest = std::min(s.shortest, s.longest);
  s.entries = std::clamp(s.entries / divisor, s.rows * s.shortest, s.rows * s.longest);
  return s;
}

csr make(const shape& s, int threads) {
  csr result;
  result.rows = s.rows;
  result.columns = s.columns;
  const std::vector<std::int64_t> lengths = lengths_of(s, threads);
  result.offsets.resize(lengths.size() + 1, 0);
  std::inclusive_scan(lengths.begin(), lengths.end(), result.offsets.begin() + 1, std::plus<>(),
                      std::uint64_t{0});
  result.column.resize(result.offsets.back());
  // The columns of a row are spread over its window: one random column of each of its equal parts.
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads)
  for (std::size_t r = 0; r < lengths.size(); ++r) {
    const std::int64_t length = lengths[r];
    const std::int64_t width =
        s.band == 0 ? s.columns : std::min(s.columns, std::max(s.band, 2 * length));
    const auto diagonal = static_cast<std::int64_t>(
        static_cast<double>(r) * static_cast<double>(s.columns) / static_cast<double>(s.rows));
    const std::int64_t first = std::clamp<std::int64_t>(diagonal - width / 2, 0, s.columns - width);
    for (std::int64_t k = 0; k < length; ++k) {
      const std::int64_t begin = k * width / length, end = (k + 1) * width / length;
      const std::uint64_t entry = result.offsets[r] + static_cast<std::uint64_t>(k);
      const std::uint64_t pick =
          (random_bits(of_column, entry) >> 32) * static_cast<std::uint64_t>(end - begin) >> 32;
      result.column[entry] =
          static_cast<std::uint32_t>(first + begin) + static_cast<std::uint32_t>(pick);
    }
  }
  return result;
}

shape even_rows(std::int64_t mean) {
  constexpr std::int64_t entries = 8'000'000;
  const std::int64_t rows = entries / mean;
  return {"even", rows, rows, rows * mean, (mean + 1) / 2, mean + mean / 2, near_mean, 8'000};
}

csr permutation(std::int64_t rows) {
  csr result;
  result.rows = result.columns = rows;
  result.offsets.resize(static_cast<std::size_t>(rows) + 1);
  std::iota(result.offsets.begin(), result.offsets.end(), std::uint64_t{0});
  result.column.resize(static_cast<std::size_t>(rows));
  std::iota(result.column.begin(), result.column.end(), 0U);
  for (std::size_t k = result.column.size(); k > 1; --k)
    std::swap(result.column[k - 1], result.column[random_bits(of_permutation, k) % k]);
  return result;
}

}  // namespace tropic::shapes
