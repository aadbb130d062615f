// SPDX-License-Identifier: Apache-2.0
#include "plan/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace tropic::detail {

namespace {

constexpr double far_bytes = 32e6;  // size of a matrix that caches may hold from call to call

double& at(term_values& values, cost_term term) {
  return values[static_cast<std::size_t>(term)];
}

// The sum of the longest of every `group` adjacent rows, relative to that of a random order: less
// than 1 if neighbours are similar.
double unlikeness(const inspected_pattern& m, double group) {
  const auto level = static_cast<int>(std::log2(std::max(group, 1.0)) + 0.5);
  if (level == 0) return 1;
  const double known = std::exp2(std::min(level, 5));
  const double random = static_cast<double>(m.summary.rows) / known *
                        over_longest(m, known, [](double length) { return length; });
  const auto sum = m.counts.longest_sums[static_cast<std::size_t>(std::min(level, 5) - 1)];
  return random > 0 ? static_cast<double>(sum) / random : 1;
}

// The number of rows whose length differs from that of the row before, for a random order.
double turns_of_length(const inspected_pattern& m) {
  const double all = static_cast<double>(std::max<index_t>(m.summary.rows, 1));
  double same = 0;
  for (const std::uint64_t n : m.counts.rows.count)
    same += static_cast<double>(n) / all * static_cast<double>(n);
  return static_cast<double>(m.summary.rows) - same;
}

// What only a CPU does.
void set_cpu_terms(term_values& result, work_unit unit, const inspected_pattern& m,
                   bool early_exit) {
  const auto rows = static_cast<double>(m.summary.rows), nnz = static_cast<double>(m.summary.nnz),
             columns = static_cast<double>(std::max<index_t>(m.summary.columns, 1));
  constexpr double shared = 1 << 14;  // rows and entries that one thread does alone
  at(result, cost_term::parallel_region) = rows + nnz > shared ? 1 : 0;
  if (unit == work_unit::frontier) {
    // The rows of the transpose; each thread searches its part of the output in each of them.
    at(result, cost_term::row) = columns;
    at(result, cost_term::lane_step) = rows;
    if (nnz > shared) at(result, cost_term::row_start) = columns * std::log2(1 + nnz / columns);
    return;
  }
  at(result, cost_term::length_change) = turns_of_length(m);
  // If only the first entry of a row is read, the next one may lie in another cache line.
  constexpr double line = 16;
  if (early_exit)
    at(result, cost_term::cache_line) =
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

term_values terms_of(const kernel_info& kernel, const work_mapping& mapping,
                     const inspected_pattern& m, const product_traits& p, bool hot_columns) {
  const bool columns_are_hot = hot_columns || kernel.has_frequency_order;
  const pattern_summary& f = m.summary;
  const auto rows = static_cast<double>(f.rows), nnz = static_cast<double>(f.nnz);
  const double lanes = std::max(mapping.lanes, 1u);
  const bool early_exit = p.exits_early && kernel.exits_early;
  const auto read = [&](double length) { return early_exit ? std::min(length, lanes) : length; };
  const auto turns = [&](double length) { return std::ceil(read(length) / lanes); };

  double entries = early_exit ? over_rows(m, read) : nnz;
  if (mapping.row_multiple > 1) {
    const double multiple = mapping.row_multiple;
    entries =
        over_rows(m, [&](double length) { return std::ceil(read(length) / multiple) * multiple; });
  }
  if (mapping.slots > 0) entries = nnz * expected_padding(m, mapping);

  term_values result{};
  at(result, cost_term::call) = 1;
  at(result, cost_term::row) = rows;
  at(result, cost_term::entry) = entries;
  if (mapping.subgroup_size > 0 && kernel.unit == work_unit::row) {
    const double side_by_side = std::max(mapping.subgroup_size / lanes, 1.0);
    at(result, cost_term::lane_step) =
        rows / side_by_side *
        std::max(1.0, over_longest(m, side_by_side, turns) * unlikeness(m, side_by_side)) *
        mapping.subgroup_size;
    // In each turn a subgroup reads one line for each of its rows if rows are at least as long as a
    // line, and fewer if several rows share a line.
    constexpr double line = 32;
    at(result, cost_term::cache_line) = over_rows(m, [&](double length) {
      return turns(length) * std::clamp(side_by_side * read(length) / line, 1.0, side_by_side) /
             side_by_side;
    });
    at(result, cost_term::row_start) = rows / side_by_side;
    at(result, cost_term::critical_path) = turns(static_cast<double>(f.longest_row));
  }
  if (mapping.subgroup_size == 0) set_cpu_terms(result, kernel.unit, m, early_exit);
  if (kernel.unit == work_unit::strip) {
    const std::uint32_t height = std::max(mapping.strip_rows, 1u);
    at(result, cost_term::row_start) = rows / height;
    const auto fullest =
        height == 1 ? static_cast<double>(f.longest_row)
                    : static_cast<double>(m.counts.fullest_strips[std::bit_width(height - 1) - 1u]);
    at(result, cost_term::critical_path) = std::ceil(fullest / mapping.subgroup_size);
    if (mapping.slots > 0)  // a row has some slots of a tile, whatever the others need
      at(result, cost_term::critical_path) =
          std::max(at(result, cost_term::critical_path),
                   std::ceil(static_cast<double>(f.longest_row) / mapping.slots));
  }
  if (p.x_bytes > 0 && !kernel.reads_bits) {
    // A cache holds fewer elements the wider they are.
    const auto held = [&](double bytes) {
      return entries * m.misses_of_cache(bytes / static_cast<double>(p.x_bytes) /
                                             static_cast<double>(pattern_counts::segment),
                                         columns_are_hot);
    };
    at(result, cost_term::reuse_miss_32) = entries * f.segments_per_entry_32;
    at(result, cost_term::reuse_miss_4096) =
        entries * (columns_are_hot
                       ? std::min(f.segments_per_entry_4096, m.misses_of_cache(1024, true))
                       : f.segments_per_entry_4096);
    at(result, cost_term::miss_512k) = held(512e3);
    at(result, cost_term::miss_8m) = held(8e6);
    at(result, cost_term::miss_32m) = held(32e6);
  }
  const double bytes =
      entries * static_cast<double>(4 + p.a_bytes) + rows * static_cast<double>(4 + p.z_bytes);
  at(result, cost_term::far_byte) = std::max(0.0, bytes - far_bytes);
  return result;
}

term_values conversion_terms(const inspected_pattern& m) {
  term_values result{};
  at(result, cost_term::call) = 1;
  at(result, cost_term::row) = static_cast<double>(m.summary.rows + m.summary.columns);
  const auto nnz = static_cast<double>(m.summary.nnz);
  at(result, cost_term::entry) = nnz;
  // Numbers of columns, 4 bytes each, that are looked up.
  at(result, cost_term::reuse_miss_4096) = nnz * m.summary.segments_per_entry_4096;
  at(result, cost_term::miss_8m) =
      nnz * m.misses_of_cache(8e6 / 4 / static_cast<double>(pattern_counts::segment));
  return result;
}

term_values gather_terms(index_t size, std::size_t value_bytes) {
  term_values result{};
  const auto n = static_cast<double>(size), bytes = n * static_cast<double>(value_bytes);
  const auto missed = [&](double cache) { return bytes > cache ? n * (1 - cache / bytes) : 0; };
  at(result, cost_term::call) = 1;
  at(result, cost_term::row) = n;
  at(result, cost_term::miss_512k) = missed(512e3);
  at(result, cost_term::miss_8m) = missed(8e6);
  at(result, cost_term::miss_32m) = missed(32e6);
  return result;
}

std::string cost_constants::key(std::string_view kernel, std::size_t z_bytes) {
  return std::string(kernel) + (z_bytes <= 4 ? "/4" : "/8");
}

std::string cost_constants::name_of(const kernel_info& kernel, const product_traits& traits) {
  std::string name(kernel.name);
  if (kernel.unit == work_unit::frontier && traits.adds_in_order) name += "_sorted";
  if (traits.compares && kernel.compares_apart) name += "_compares";
  if (traits.exits_early && kernel.exits_early) name += "_ends";
  return name;
}

const kernel_costs* cost_constants::find(std::string_view kernel, std::size_t z_bytes) const {
  const auto found = of.find(key(kernel, z_bytes));
  return found == of.end() ? nullptr : &found->second;
}

double seconds_of(const term_values& seconds_per_count, const term_values& count) {
  return std::inner_product(seconds_per_count.begin(), seconds_per_count.end(), count.begin(), 0.0);
}

double kernel_costs::seconds_of_call(const term_values& count, double factor) const {
  return std::max(floor, factor * seconds_of(call, count));
}

kernel_costs fitted_calls(const std::vector<term_values>& counts,
                          const std::vector<double>& seconds, double floor) {
  kernel_costs result;
  result.floor = floor;
  // A call as fast as others that do almost nothing shows only that its work takes no longer than
  // the floor.
  constexpr double beyond = 1.25;
  std::vector<bool> is_taken(seconds.size());
  for (std::size_t n = 0; n < seconds.size(); ++n) is_taken[n] = seconds[n] > beyond * result.floor;
  if (std::ranges::count(is_taken, true) < 3) is_taken.assign(seconds.size(), true);
  for (bool is_new = true; is_new;) {
    std::vector<term_values> of;
    std::vector<double> taken;
    for (std::size_t n = 0; n < seconds.size(); ++n)
      if (is_taken[n]) of.push_back(counts[n]), taken.push_back(seconds[n]);
    result.call = fitted(of, taken);
    is_new = false;
    for (std::size_t n = 0; n < seconds.size(); ++n)
      if (!is_taken[n] && seconds_of(result.call, counts[n]) > beyond * result.floor)
        is_taken[n] = is_new = true;
  }
  return result;
}

term_values fitted(const std::vector<term_values>& counts, const std::vector<double>& seconds) {
  std::array<term_values, cost_terms> gram{};
  term_values target{}, result{};
  for (std::size_t n = 0; n < counts.size(); ++n)
    for (std::size_t i = 0; i < cost_terms; ++i) {
      const double share = counts[n][i] / seconds[n];
      target[i] += share;
      for (std::size_t j = 0; j < cost_terms; ++j) gram[i][j] += share * counts[n][j] / seconds[n];
    }
  for (int turn = 0; turn < 20000; ++turn) {
    double largest_step = 0;
    for (std::size_t i = 0; i < cost_terms; ++i) {
      if (gram[i][i] == 0) continue;
      const double before = result[i];
      result[i] = std::max(0.0, before + (target[i] - seconds_of(gram[i], result)) / gram[i][i]);
      largest_step = std::max(largest_step, std::abs(result[i] - before) * std::sqrt(gram[i][i]));
    }
    if (largest_step < 1e-9) break;
  }
  return result;
}

}  // namespace tropic::detail
