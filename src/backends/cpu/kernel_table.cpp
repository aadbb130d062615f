// SPDX-License-Identifier: Apache-2.0

// The kernels of the CPU, and what they cost by what is known of a product without an inspection.

#include <algorithm>

#include "backends/cpu/cpu_backend.hpp"

namespace tropic::detail {
namespace {

// Costs in nanoseconds on one processor, fitted by `scripts/bench switch` (docs/performance.md);
// only their ratios matter.
// Pulling reads entries behind a branch on whether u has one there; where the branch is as often
// taken as not, it is guessed wrong. It walks over every row, wanted or not, and turns a sparse u
// into a bitmap.
constexpr double per_read = 0.65, per_wrong_guess = 12, per_row = 4.7;
// Pushing reads and writes at random, and finds each row of u's first.
constexpr double per_edge = 5, per_input = 28;
// Building a transpose, in pulls over all entries.
constexpr double transpose_per_pull = 6.5;

// A transpose that would have paid for itself by now costs nothing more.
double transpose_cost(const product_features& f, index_t expected_calls) {
  if (f.transpose_is_due) return 0;
  return transpose_per_pull * per_read * static_cast<double>(f.nnz) /
         static_cast<double>(std::max<index_t>(expected_calls, 1));
}

// Both in reads of an entry.

double pull_cost(const product_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return 0;
  const auto outputs = static_cast<double>(f.output_size);
  const double share =
      f.input_size > 0 ? static_cast<double>(f.input_nvals) / static_cast<double>(f.input_size) : 0;
  // How much of a row is read before its sum is known: all of it, or, where the first hit ends
  // it, as much as it takes to meet one of u's entries.
  double row = f.output_size > 0 ? static_cast<double>(f.nnz) / outputs : 0;
  if (f.exits_early && share > 0) row = std::min(row, 1 / share);
  const double wrong_guesses = f.exits_early ? 0 : std::min(share, 1 - share);
  double cost =
      static_cast<double>(f.output_wanted) * row * (per_read + per_wrong_guess * wrong_guesses) +
      per_row * outputs;
  if (f.pull_needs_transpose) cost += transpose_cost(f, expected_calls);
  return cost / per_read;
}

double push_cost(const product_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return 1;
  double cost = per_edge * static_cast<double>(f.input_edges) +
                per_input * static_cast<double>(f.input_nvals);
  if (f.push_needs_transpose) {
    cost += transpose_cost(f, expected_calls);
    // Its offsets alone are more than the product.
    if (is_hypersparse(f.output_size, f.nnz, f.input_size))
      cost += per_row * static_cast<double>(f.input_size);
  }
  return cost / per_read;
}

constexpr kernel_info pull{.name = "pull",
                           .summary = "the rows of the output, a few rows a thread at a time",
                           .unit = work_unit::row,
                           .exits_early = true,
                           .suits_frequency_order = true,
                           .quick_cost = pull_cost};
constexpr kernel_info push{.name = "push",
                           .summary = "the rows of u's entries, added to the output",
                           .unit = work_unit::frontier,
                           .quick_cost = push_cost};
constexpr const kernel_info* table[] = {&pull, &push};

}  // namespace

kernel_table cpu_backend::kernels() const {
  return table;
}

}  // namespace tropic::detail
