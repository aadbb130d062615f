// SPDX-License-Identifier: Apache-2.0
#include "plan/choose.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tropic::detail {

namespace {

// A pushed entry is a random read and write behind a branch, a pulled one a random read. Counted,
// not calibrated yet (docs/performance.md).
constexpr double push_per_pull = 3.0;
// Pulling walks over every row, wanted or not, and turns a sparse u into a bitmap.
constexpr double pull_per_row = 0.5;
// Building a transpose costs about this many pulls over all entries.
constexpr double transpose_per_pull = 8.0;

}  // namespace

plan choose_direction(const product_features& f) {
  // How much of a row is read before its sum is known: all of it, or, where the first hit ends
  // it, as much as it takes to meet one of u's entries.
  const double mean = f.output_size > 0 ? static_cast<double>(f.nnz) / static_cast<double>(f.output_size) : 0;
  double per_row = mean;
  if (f.stops_early && f.input_nvals > 0)
    per_row = std::min(mean, static_cast<double>(f.input_size) / static_cast<double>(f.input_nvals));
  double pull = static_cast<double>(f.output_wanted) * per_row +
                pull_per_row * static_cast<double>(f.output_size);
  double push = push_per_pull * static_cast<double>(f.input_edges);
  const double transpose = transpose_per_pull * static_cast<double>(f.nnz) /
                           static_cast<double>(std::max<index_t>(f.expected_calls, 1));
  if (f.pull_needs_transpose) pull += transpose;
  if (f.push_needs_transpose) push += transpose;
  if (push < pull)
    return {"push", f.expected_calls,
            fmt::format("push: {} entries leave the {} of u; pulling would read about {:.0f}",
                                f.input_edges, f.input_nvals, pull)};
  return {"pull", f.expected_calls,
          fmt::format("pull: about {:.0f} reads; pushing {} entries would cost {:.0f}", pull,
                              f.input_edges, push)};
}

}  // namespace tropic::detail
