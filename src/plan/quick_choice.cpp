// SPDX-License-Identifier: Apache-2.0
#include "plan/quick_choice.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tropic::detail {

namespace {

struct choice {
  const kernel_info* kernel;
  double cost, next_cost;  // cost of the candidate, and of the best of the others
};

// By the costs that rows estimate without an inspection; the first one of equal costs.
choice cheapest(kernel_table kernels, const call_features& f, index_t expected_calls) {
  constexpr double never = std::numeric_limits<double>::infinity();
  choice best{kernels.front(), never, never};
  for (const kernel_info* kernel : kernels) {
    if (kernel->quick_cost == nullptr) continue;
    const double cost = kernel->quick_cost(f, expected_calls);
    if (cost < best.cost)
      best = {kernel, cost, best.cost};
    else
      best.next_cost = std::min(best.next_cost, cost);
  }
  return best;
}

// Where there is nothing to weigh: the only kernel, and why.
std::string_view only_choice(const cost_source& source, const product& p) {
  if (source.kernels().size() == 1) return "the only kernel of this backend";
  if (p.matrix.nnz == 0 || p.input.nvals == 0) return "there is nothing to multiply";
  return {};
}

std::string reason_on_device(const kernel_info& kernel, const call_features& f) {
  if (kernel.unit == work_unit::frontier)
    return fmt::format(
        "{}: u has {} of {} entries, which at most {} of {} edges leave, and {}", kernel.name,
        f.input_nvals, f.input_size, f.input_edges, f.nnz,
        f.can_push ? "the sums are the same in any order" : "their products are sorted by row");
  if (kernel.lists_rows && f.wanted_edges < f.nnz)
    return fmt::format("{}: the rows that the mask wants have {} of {} entries", kernel.name,
                       f.wanted_edges, f.nnz);
  if (kernel.lists_rows)
    return fmt::format("{}: u has {} of {} entries, and the matrix {}", kernel.name, f.input_nvals,
                       f.input_size, f.nnz);
  if (kernel.has_frequency_order)
    return fmt::format(
        "{}: {:.0f} % of the entries are in the columns with the most, after {} pulls", kernel.name,
        100 * f.hub_share, f.pulls);
  if (kernel.reads_bits)
    return fmt::format("{}: the product reads u as bits, after {} pulls", kernel.name, f.pulls);
  return fmt::format("{}: the longest row has {} of {} entries{}", kernel.name, f.longest_row,
                     f.nnz, f.exits_early ? ", and a row may end early" : "");
}

std::string reason_on_host(const choice& c, const call_features& f) {
  if (f.is_plain_pull())
    return fmt::format("{}: u is full and the matrix is available by rows of the output",
                       c.kernel->name);
  if (c.kernel->unit == work_unit::frontier)
    return fmt::format(
        "{}: {} entries leave the {} of u, at the cost of {:.0f} reads; pulling would cost {:.0f}",
        c.kernel->name, f.input_edges, f.input_nvals, c.cost, c.next_cost);
  return fmt::format(
      "{}: at the cost of about {:.0f} reads; pushing the {} entries that leave u would cost "
      "{:.0f}",
      c.kernel->name, c.cost, f.input_edges, c.next_cost);
}

}  // namespace

std::string_view choose_kernel(cost_source& source, const product& p, const vector_rule& rule,
                               index_t expected_calls) {
  if (!only_choice(source, p).empty()) return source.kernels().front()->name;
  return cheapest(source.kernels(), source.features(p, rule), expected_calls).kernel->name;
}

plan explain_choice(cost_source& source, const product& p, const vector_rule& rule,
                    index_t expected_calls) {
  if (const std::string_view why = only_choice(source, p); !why.empty()) {
    const std::string_view kernel = source.kernels().front()->name;
    return {std::string(kernel), expected_calls, fmt::format("{}: {}", kernel, why)};
  }
  const call_features f = source.features(p, rule);
  const choice c = cheapest(source.kernels(), f, expected_calls);
  return {std::string(c.kernel->name), expected_calls,
          f.on_device ? reason_on_device(*c.kernel, f) : reason_on_host(c, f)};
}

}  // namespace tropic::detail
