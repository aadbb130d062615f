// SPDX-License-Identifier: Apache-2.0
#include "plan/choose.hpp"

#include <algorithm>

#include <fmt/format.h>

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

struct estimate {
  double pull = 0, push = 0;
  std::string_view kernel() const { return push < pull ? "push" : "pull"; }
};

estimate estimate_of(const product_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return {.pull = 0, .push = 1};
  const auto outputs = static_cast<double>(f.output_size);
  const auto inputs = static_cast<double>(f.input_nvals);
  const auto nnz = static_cast<double>(f.nnz);
  const double share = f.input_size > 0 ? inputs / static_cast<double>(f.input_size) : 0;
  // How much of a row is read before its sum is known: all of it, or, where the first hit ends
  // it, as much as it takes to meet one of u's entries.
  double row = f.output_size > 0 ? nnz / outputs : 0;
  if (f.stops_early && share > 0) row = std::min(row, 1 / share);
  const double wrong_guesses = f.stops_early ? 0 : std::min(share, 1 - share);
  estimate e;
  e.pull =
      static_cast<double>(f.output_wanted) * row * (per_read + per_wrong_guess * wrong_guesses) +
      per_row * outputs;
  e.push = per_edge * static_cast<double>(f.input_edges) + per_input * inputs;
  // A transpose that would have paid for itself by now costs nothing more.
  const double transpose = f.transpose_is_due
                               ? 0
                               : transpose_per_pull * per_read * nnz /
                                     static_cast<double>(std::max<index_t>(expected_calls, 1));
  if (f.pull_needs_transpose) e.pull += transpose;
  if (f.push_needs_transpose) e.push += transpose;
  // Its offsets alone are more than the product.
  if (f.push_needs_transpose && is_hypersparse(f.output_size, f.nnz, f.input_size))
    e.push += per_row * static_cast<double>(f.input_size);
  return e;
}

// Of a device: microseconds of a call, from what CSR knows by itself, by three kernels. Fitted to
// what made and generated matrices took on an H200, by CUDA and by OpenCL (docs/performance.md):
// what counts is how they compare, which other GPUs share. Entries of u cost all three the same.
struct device_estimate {
  double scalar = 0, vector = 0, segmented = 0;
};

device_estimate device_estimate_of(const product_features& f, index_t expected_calls) {
  const auto rows = static_cast<double>(std::max<index_t>(f.output_size, 1)),
             nnz = static_cast<double>(f.nnz), longest = static_cast<double>(f.longest_row);
  device_estimate e;
  // A subgroup of 32 begins on rows of its own: two loads that wait for each other, then a turn
  // after the other until the longest row ends.
  constexpr double begin = 1.6e-4, turn = 0.078;
  const double width = f.row_width;
  e.vector = 3 + begin * rows * width / 32 + 3.05e-6 * nnz + turn * longest / width;
  // A work-item a row reads side by side only where rows are short; where sums are comparisons each
  // of them waits for the one before it.
  const bool short_rows = longest <= 128 && nnz <= 5.5 * rows;
  e.scalar = short_rows
                 ? 2.5 + 1.3e-4 * rows / 32 + 1.9e-6 * nnz + (f.compares ? 0.12 : 0.05) * longest
                 : e.vector + 1;
  // Rows of tiles are found once.
  e.segmented = 8 + 1e-6 * rows + 2.7e-6 * nnz +
                (18 + 4e-7 * nnz) / static_cast<double>(std::max<index_t>(expected_calls, 1));
  return e;
}

// On a device: entries split evenly where rows are uneven, a row to a few work-items elsewhere, and
// wherever a row may end early.
std::string_view device_kernel(const product_features& f, index_t expected_calls) {
  // A push reads the rows of u's entries, with atomic sums, a pull every row that is wanted. One
  // that its first hit ends is the shorter the more edges leave u, whichever vertices they leave
  // (docs/performance.md).
  const bool is_small = f.stops_early ? f.is_few_edges() : f.input_nvals < f.input_size / 16;
  if (f.can_push && !f.push_needs_transpose && is_small) return "push";
  // One work-item may look through all of a short row, should there be no hit.
  if (f.stops_early)
    return f.input_nvals == f.input_size && f.longest_row <= 256 ? "csr_scalar" : "csr_vector";
  const device_estimate e = device_estimate_of(f, expected_calls);
  if (e.scalar < std::min(e.vector, e.segmented)) return "csr_scalar";
  return e.segmented < e.vector ? "csr_segmented" : "csr_vector";
}

// Where there is nothing to weigh: the only kernel, and why.
std::string_view only_choice(const backend& executor, const product& p) {
  if (executor.kernels().size() == 1) return "the only kernel of this backend";
  if (p.matrix.nnz == 0 || p.input.nvals == 0) return "there is nothing to multiply";
  return {};
}

}  // namespace

std::string_view choose_kernel(backend& executor, const product& p, const vector_rule& rule,
                               index_t expected_calls) {
  if (!only_choice(executor, p).empty()) return executor.kernels().front();
  const product_features f = executor.features(p, rule);
  return f.on_device ? device_kernel(f, expected_calls) : estimate_of(f, expected_calls).kernel();
}

plan explain_choice(backend& executor, const product& p, const vector_rule& rule,
                    index_t expected_calls) {
  if (const std::string_view why = only_choice(executor, p); !why.empty()) {
    const std::string_view kernel = executor.kernels().front();
    return {kernel, expected_calls, fmt::format("{}: {}", kernel, why)};
  }
  const product_features f = executor.features(p, rule);
  if (f.on_device) {
    const std::string_view kernel = device_kernel(f, expected_calls);
    if (kernel == "push")
      return {
          kernel, expected_calls,
          fmt::format("push: u has {} of {} entries, which {} of {} edges leave at the most, and "
                      "the sums are the same in any order",
                      f.input_nvals, f.input_size, f.input_edges, f.nnz)};
    return {kernel, expected_calls,
            fmt::format("{}: the longest row has {} of {} entries{}", kernel, f.longest_row, f.nnz,
                        f.stops_early ? ", and a row may end early" : "")};
  }
  const estimate e = estimate_of(f, expected_calls);
  if (f.is_plain_pull())
    return {"pull", expected_calls, "pull: u is full and the rows of the output are at hand"};
  return {
      e.kernel(), expected_calls,
      e.push < e.pull
          ? fmt::format("push: {} entries leave the {} of u, at the cost of {:.0f} reads; pulling "
                        "would cost {:.0f}",
                        f.input_edges, f.input_nvals, e.push / per_read, e.pull / per_read)
          : fmt::format("pull: at the cost of about {:.0f} reads; pushing the {} entries that "
                        "leave u would cost {:.0f}",
                        e.pull / per_read, f.input_edges, e.push / per_read)};
}

}  // namespace tropic::detail
