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

struct estimate {
  double pull = 0, push = 0;
  std::string_view kernel() const { return push < pull ? "push" : "pull"; }
};

estimate estimate_of(const product_features& f, index_t expected_calls) {
  if (f.is_plain_pull()) return {.pull = 0, .push = 1};
  // How much of a row is read before its sum is known: all of it, or, where the first hit ends
  // it, as much as it takes to meet one of u's entries.
  const auto outputs = static_cast<double>(f.output_size);
  const auto nnz = static_cast<double>(f.nnz);
  double per_row = f.output_size > 0 ? nnz / outputs : 0;
  if (f.stops_early && f.input_nvals > 0)
    per_row =
        std::min(per_row, static_cast<double>(f.input_size) / static_cast<double>(f.input_nvals));
  estimate e;
  e.pull = static_cast<double>(f.output_wanted) * per_row + pull_per_row * outputs;
  e.push = push_per_pull * static_cast<double>(f.input_edges);
  // A transpose that would have paid for itself by now costs nothing more.
  const double transpose =
      f.transpose_is_due
          ? 0
          : transpose_per_pull * nnz / static_cast<double>(std::max<index_t>(expected_calls, 1));
  if (f.pull_needs_transpose) e.pull += transpose;
  if (f.push_needs_transpose) e.push += transpose;
  return e;
}

// On a device: entries split evenly where rows are uneven, a row to a few work-items elsewhere, and
// wherever a row may end early. Not calibrated yet either.
std::string_view device_kernel(const product_features& f) {
  const index_t mean = f.nnz / std::max<index_t>(f.output_size, 1);
  return !f.stops_early && f.longest_row > 16 * mean + 256 ? "csr_segmented" : "csr_vector";
}

// Where there is nothing to weigh: the only kernel, and why.
std::string_view only_choice(const backend& executor, const product& p) {
  if (executor.kernels().size() == 1) return "the only kernel of this backend";
  if (p.matrix.nnz == 0 || p.input.nvals == 0) return "there is nothing to multiply";
  return {};
}

}  // namespace

std::string_view choose_kernel(const backend& executor, const product& p, const vector_rule& rule,
                               index_t expected_calls) {
  if (!only_choice(executor, p).empty()) return executor.kernels().front();
  const product_features f = executor.features(p, rule);
  return f.on_device ? device_kernel(f) : estimate_of(f, expected_calls).kernel();
}

plan explain_choice(const backend& executor, const product& p, const vector_rule& rule,
                    index_t expected_calls) {
  if (const std::string_view why = only_choice(executor, p); !why.empty()) {
    const std::string_view kernel = executor.kernels().front();
    return {kernel, expected_calls, fmt::format("{}: {}", kernel, why)};
  }
  const product_features f = executor.features(p, rule);
  if (f.on_device) {
    const std::string_view kernel = device_kernel(f);
    return {kernel, expected_calls,
            fmt::format("{}: the longest row has {} of {} entries{}", kernel, f.longest_row, f.nnz,
                        f.stops_early ? ", and a row may end early" : "")};
  }
  const estimate e = estimate_of(f, expected_calls);
  if (f.is_plain_pull())
    return {"pull", expected_calls, "pull: u is full and the rows of the output are at hand"};
  return {e.kernel(), expected_calls,
          e.push < e.pull
              ? fmt::format("push: {} entries leave the {} of u; pulling would read about {:.0f}",
                            f.input_edges, f.input_nvals, e.pull)
              : fmt::format("pull: about {:.0f} reads; pushing {} entries would cost {:.0f}",
                            e.pull, f.input_edges, e.push)};
}

}  // namespace tropic::detail
