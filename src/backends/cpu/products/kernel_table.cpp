// SPDX-License-Identifier: Apache-2.0

// The kernels of the CPU, and their costs estimated from what is known without an inspection.

#include <algorithm>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/mxm/method.hpp"

namespace tropic::detail {
namespace {

// Costs in nanoseconds on one processor, fitted by `scripts/bench switch` (docs/performance.md);
// only their ratios matter.
// Pulling reads entries behind a branch on whether u has one; if both outcomes are equally
// frequent, the branch is mispredicted. It visits every row, whether the mask needs it or not, and
// converts a sparse u to a bitmap.
constexpr double per_read = 0.65, per_wrong_guess = 12, per_row = 4.7;
// Pushing reads and writes at random, and has to find each row of u first.
constexpr double per_edge = 5, per_input = 28;
// Building a transpose, in units of a pull over all entries.
constexpr double transpose_per_pull = 6.5;

// A transpose that would already have paid for itself is considered free.
double transpose_cost(const call_features& f, index_t expected_calls) {
  if (f.transpose_is_due) return 0;
  return transpose_per_pull * per_read * static_cast<double>(f.nnz) /
         static_cast<double>(std::max<index_t>(expected_calls, 1));
}

// Both in units of reading one entry.

double pull_cost(const call_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return 0;
  const auto outputs = static_cast<double>(f.output_size);
  const double share =
      f.input_size > 0 ? static_cast<double>(f.input_nvals) / static_cast<double>(f.input_size) : 0;
  // The part of a row that is read before its sum is known: all of it, or, if the first match ends
  // it, the number of entries until one of u's is met.
  double row = f.output_size > 0 ? static_cast<double>(f.nnz) / outputs : 0;
  if (f.exits_early && share > 0) row = std::min(row, 1 / share);
  const double wrong_guesses = f.exits_early ? 0 : std::min(share, 1 - share);
  double cost =
      static_cast<double>(f.output_wanted) * row * (per_read + per_wrong_guess * wrong_guesses) +
      per_row * outputs;
  if (f.pull_needs_transpose) cost += transpose_cost(f, expected_calls);
  return cost / per_read;
}

double push_cost(const call_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return 1;
  double cost = per_edge * static_cast<double>(f.input_edges) +
                per_input * static_cast<double>(f.input_nvals);
  if (f.push_needs_transpose) {
    cost += transpose_cost(f, expected_calls);
    // The offsets alone cost more than the product.
    if (is_hypersparse(f.output_size, f.nnz, f.input_size))
      cost += per_row * static_cast<double>(f.input_size);
  }
  return cost / per_read;
}

// Rows of the output, a few rows per thread at a time.
constexpr kernel_info pull_info{.name = "pull",
                                .unit = work_unit::row,
                                .exits_early = true,
                                .suits_frequency_order = true,
                                .quick_cost = pull_cost};
// The matrix rows that the entries of u select, added to the output.
constexpr kernel_info push_info{
    .name = "push", .unit = work_unit::frontier, .quick_cost = push_cost};
constexpr const kernel_info* table[] = {&pull_info, &push_info};

struct mxm_row {
  kernel_info info;
  on_cpu::mxm_method method;
};
constexpr mxm_row mxm_rows[] = {
    {{.name = "gustavson"}, on_cpu::mxm_method::gustavson},
    {{.name = "inner", .needs_mask = true}, on_cpu::mxm_method::inner},
};

}  // namespace

kernel_table cpu_backend::kernels() const {
  return table;
}

namespace on_cpu {

kernel_table mxm_kernel_table() {
  static constexpr const kernel_info* infos[] = {&mxm_rows[0].info, &mxm_rows[1].info};
  return infos;
}
std::string_view name_of(mxm_method method) {
  return std::ranges::find(mxm_rows, method, &mxm_row::method)->info.name;
}
mxm_method mxm_method_of(std::string_view kernel) {
  const auto name = [](const mxm_row& row) { return row.info.name; };
  return std::ranges::find(mxm_rows, kernel, name)->method;
}

}  // namespace on_cpu

}  // namespace tropic::detail
