// SPDX-License-Identifier: Apache-2.0
#include "plan/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tropic::detail {

namespace {

constexpr double far_bytes = 32e6;  // of a matrix that caches may hold from call to call

double& at(term_values& values, cost_term term) {
  return values[static_cast<std::size_t>(term)];
}

// The sum of the longest rows of `group` beside each other, over what a random order would make of
// it: less than 1 where neighbours are alike.
double unlikeness(const matrix_inspection& m, double group) {
  const auto level = static_cast<int>(std::log2(std::max(group, 1.0)) + 0.5);
  if (level == 0) return 1;
  const double known = std::exp2(std::min(level, 5));
  const double random = static_cast<double>(m.features.rows) / known *
                        over_longest(m, known, [](double length) { return length; });
  const auto sum = m.counts.longest_sums[static_cast<std::size_t>(std::min(level, 5) - 1)];
  return random > 0 ? static_cast<double>(sum) / random : 1;
}

// Rows of another length than the one before, were they in a random order.
double turns_of_length(const matrix_inspection& m) {
  const double all = static_cast<double>(std::max<index_t>(m.features.rows, 1));
  double same = 0;
  for (const std::uint64_t n : m.counts.rows.count)
    same += static_cast<double>(n) / all * static_cast<double>(n);
  return static_cast<double>(m.features.rows) - same;
}

// What only a CPU does.
void set_cpu_terms(term_values& made, work_unit unit, const matrix_inspection& m, bool early_exit) {
  const auto rows = static_cast<double>(m.features.rows), nnz = static_cast<double>(m.features.nnz),
             columns = static_cast<double>(std::max<index_t>(m.features.columns, 1));
  constexpr double shared = 1 << 14;  // rows and entries that one thread does alone
  at(made, cost_term::parallel_region) = rows + nnz > shared ? 1 : 0;
  if (unit == work_unit::frontier) {
    // The rows of the transpose; each thread searches its part of the output in each of them.
    at(made, cost_term::row) = columns;
    at(made, cost_term::lane_step) = rows;
    if (nnz > shared) at(made, cost_term::row_start) = columns * std::log2(1 + nnz / columns);
    return;
  }
  at(made, cost_term::length_change) = turns_of_length(m);
  // Where only a row's first entry is read, the next one's may lie in another line.
  constexpr double line = 16;
  if (early_exit)
    at(made, cost_term::cache_line) =
        over_rows(m, [](double length) { return std::min(length / line, 1.0); });
}

}  // namespace

std::string_view name_of(cost_term term) {
  constexpr std::string_view names[cost_terms] = {
      "call",       "row",           "row_start",       "entry",           "lane_step",
      "cache_line", "reuse_miss_32", "reuse_miss_4096", "miss_512k",       "miss_8m",
      "miss_32m",   "critical_path", "far_byte",        "parallel_region", "length_change"};
  return names[static_cast<std::size_t>(term)];
}

term_values terms_of(const kernel_info& kernel, const kernel_shape& shape,
                     const matrix_inspection& m, const product_shape& p, bool columns_are_hot) {
  const matrix_features& f = m.features;
  const auto rows = static_cast<double>(f.rows), nnz = static_cast<double>(f.nnz);
  const double lanes = std::max(shape.lanes, 1u);
  const bool early_exit = p.exits_early && kernel.exits_early;
  const auto read = [&](double length) { return early_exit ? std::min(length, lanes) : length; };
  const auto turns = [&](double length) { return std::ceil(read(length) / lanes); };

  double entries = early_exit ? over_rows(m, read) : nnz;
  if (shape.row_multiple > 1) {
    const double multiple = shape.row_multiple;
    entries =
        over_rows(m, [&](double length) { return std::ceil(read(length) / multiple) * multiple; });
  }
  if (shape.slots > 0) entries = nnz * expected_padding(m, shape);

  term_values made{};
  at(made, cost_term::call) = 1;
  at(made, cost_term::row) = rows;
  at(made, cost_term::entry) = entries;
  if (shape.subgroup_size > 0 && kernel.unit == work_unit::row) {
    const double side_by_side = std::max(shape.subgroup_size / lanes, 1.0);
    at(made, cost_term::lane_step) =
        rows / side_by_side *
        std::max(1.0, over_longest(m, side_by_side, turns) * unlikeness(m, side_by_side)) *
        shape.subgroup_size;
    // In each turn a subgroup reads from as many lines as rows stand apart in: all rows', where
    // they are as long as a line.
    constexpr double line = 32;
    at(made, cost_term::cache_line) = over_rows(m, [&](double length) {
      return turns(length) * std::clamp(side_by_side * read(length) / line, 1.0, side_by_side) /
             side_by_side;
    });
    at(made, cost_term::row_start) = rows / side_by_side;
    at(made, cost_term::critical_path) = turns(static_cast<double>(f.longest_row));
  }
  if (shape.subgroup_size == 0) set_cpu_terms(made, kernel.unit, m, early_exit);
  if (kernel.unit == work_unit::strip) {
    const std::uint32_t height = std::max(shape.strip_rows, 1u);
    at(made, cost_term::row_start) = rows / height;
    const auto fullest =
        height == 1 ? static_cast<double>(f.longest_row)
                    : static_cast<double>(m.counts.fullest_strips[std::bit_width(height - 1) - 1u]);
    at(made, cost_term::critical_path) = std::ceil(fullest / shape.subgroup_size);
    if (shape.slots > 0)  // a row has some slots of a tile, whatever the others need
      at(made, cost_term::critical_path) =
          std::max(at(made, cost_term::critical_path),
                   std::ceil(static_cast<double>(f.longest_row) / shape.slots));
  }
  if (p.x_bytes > 0) {
    // A cache holds less of it the wider its values are.
    const auto held = [&](double bytes) {
      return entries * m.misses_of_cache(bytes / static_cast<double>(p.x_bytes) /
                                             static_cast<double>(matrix_statistics::segment),
                                         columns_are_hot);
    };
    at(made, cost_term::reuse_miss_32) = entries * f.window_misses;
    at(made, cost_term::reuse_miss_4096) =
        entries * (columns_are_hot ? std::min(f.piece_misses, m.misses_of_cache(1024, true))
                                   : f.piece_misses);
    at(made, cost_term::miss_512k) = held(512e3);
    at(made, cost_term::miss_8m) = held(8e6);
    at(made, cost_term::miss_32m) = held(32e6);
  }
  const double bytes =
      entries * static_cast<double>(4 + p.a_bytes) + rows * static_cast<double>(4 + p.z_bytes);
  at(made, cost_term::far_byte) = std::max(0.0, bytes - far_bytes);
  return made;
}

term_values conversion_terms(const matrix_inspection& m) {
  term_values made{};
  at(made, cost_term::call) = 1;
  at(made, cost_term::row) = static_cast<double>(m.features.rows + m.features.columns);
  const auto nnz = static_cast<double>(m.features.nnz);
  at(made, cost_term::entry) = nnz;
  // Numbers of columns, 4 bytes each, that are looked up.
  at(made, cost_term::reuse_miss_4096) = nnz * m.features.piece_misses;
  at(made, cost_term::miss_8m) =
      nnz * m.misses_of_cache(8e6 / 4 / static_cast<double>(matrix_statistics::segment));
  return made;
}

term_values gather_terms(index_t size, std::size_t value_bytes) {
  term_values made{};
  const auto n = static_cast<double>(size), bytes = n * static_cast<double>(value_bytes);
  const auto missed = [&](double cache) { return bytes > cache ? n * (1 - cache / bytes) : 0; };
  at(made, cost_term::call) = 1;
  at(made, cost_term::row) = n;
  at(made, cost_term::miss_512k) = missed(512e3);
  at(made, cost_term::miss_8m) = missed(8e6);
  at(made, cost_term::miss_32m) = missed(32e6);
  return made;
}

std::string cost_constants::key(std::string_view kernel, std::size_t z_bytes) {
  return std::string(kernel) + (z_bytes <= 4 ? "/4" : "/8");
}

std::string cost_constants::name_of(const kernel_info& kernel, const product_shape& shape) {
  std::string name(kernel.name);
  if (kernel.unit == work_unit::frontier && shape.adds_in_order) name += "_sorted";
  if (shape.compares && kernel.compares_apart) name += "_compares";
  if (shape.exits_early && kernel.exits_early) name += "_ends";
  return name;
}

const kernel_costs* cost_constants::find(std::string_view kernel, std::size_t z_bytes) const {
  const auto found = of.find(key(kernel, z_bytes));
  return found == of.end() ? nullptr : &found->second;
}

double seconds_of(const term_values& each, const term_values& count) {
  return std::inner_product(each.begin(), each.end(), count.begin(), 0.0);
}

double kernel_costs::seconds_of_call(const term_values& count, double factor) const {
  return std::max(floor, factor * seconds_of(call, count));
}

kernel_costs fitted_calls(const std::vector<term_values>& counts,
                          const std::vector<double>& seconds, double floor) {
  kernel_costs made;
  made.floor = floor;
  // A call as quick as others that do next to nothing tells that its own work takes no longer.
  constexpr double beyond = 1.25;
  std::vector<bool> is_taken(seconds.size());
  for (std::size_t n = 0; n < seconds.size(); ++n) is_taken[n] = seconds[n] > beyond * made.floor;
  if (std::ranges::count(is_taken, true) < 3) is_taken.assign(seconds.size(), true);
  for (bool is_new = true; is_new;) {
    std::vector<term_values> of;
    std::vector<double> taken;
    for (std::size_t n = 0; n < seconds.size(); ++n)
      if (is_taken[n]) of.push_back(counts[n]), taken.push_back(seconds[n]);
    made.call = fitted(of, taken);
    is_new = false;
    for (std::size_t n = 0; n < seconds.size(); ++n)
      if (!is_taken[n] && seconds_of(made.call, counts[n]) > beyond * made.floor)
        is_taken[n] = is_new = true;
  }
  return made;
}

term_values fitted(const std::vector<term_values>& counts, const std::vector<double>& seconds) {
  std::array<term_values, cost_terms> gram{};
  term_values target{}, made{};
  for (std::size_t n = 0; n < counts.size(); ++n)
    for (std::size_t i = 0; i < cost_terms; ++i) {
      const double own = counts[n][i] / seconds[n];
      target[i] += own;
      for (std::size_t j = 0; j < cost_terms; ++j) gram[i][j] += own * counts[n][j] / seconds[n];
    }
  for (int turn = 0; turn < 20000; ++turn) {
    double most = 0;
    for (std::size_t i = 0; i < cost_terms; ++i) {
      if (gram[i][i] == 0) continue;
      const double before = made[i];
      made[i] = std::max(0.0, before + (target[i] - seconds_of(gram[i], made)) / gram[i][i]);
      most = std::max(most, std::abs(made[i] - before) * std::sqrt(gram[i][i]));
    }
    if (most < 1e-9) break;
  }
  return made;
}

}  // namespace tropic::detail
