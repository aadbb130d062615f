// SPDX-License-Identifier: Apache-2.0

// Kinds take turns, so that a machine whose speed drifts drifts for all of them. Each product is
// called as often as fills a few milliseconds; ordering, permuting and the first call, which
// compiles and copies to a device, are outside the time.

#include "cli/bench/permutation_bench.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/backend.hpp"
#include "cli/bench/plain_loops.hpp"
#include "cli/input/progress.hpp"

namespace tropic::cli {

namespace {

constexpr int block_side = 8;
constexpr double least_seconds = 5e-3;

}  // namespace

// A way to multiply: prepared for one matrix, then called with y = A x in mind.
struct permutation_bench::engine {
  std::string name;
  std::function<void()> call;
  std::function<std::vector<double>()> result;
};

permutation_bench::permutation_bench(const context& where, const matrix<double>& a,
                                     std::uint64_t seed)
    : where_(where), a_(a), seed_(seed), x_(static_cast<std::size_t>(a.columns())) {
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = static_cast<double>(1 + k % 7);
  expected_.resize(static_cast<std::size_t>(a.rows()));
  plain_loops(a).csr(x_, expected_, 1);
  before_ = block_counts(a, block_side);
  for (const permutation_kind kind : permutation_kinds())
    if (suits(kind, a.rows(), a.columns())) records_.push_back({.kind = kind});
  names_ = {"coo", "csr", "coo_split", "csr_split"};
  for (const char* kernel : {"pull", "csr_scalar", "csr_vector", "coo"})
    if (where.state()->executor->find_kernel(kernel) != nullptr) kernels_.emplace_back(kernel);
  for (const std::string& kernel : kernels_) names_.push_back(where.name() + " " + kernel);
}

void permutation_bench::repeat() {
  for (kind_record& r : records_) repeat(r);
  ++repetitions_;
}

void permutation_bench::repeat(kind_record& r) {
  where_.checkpoint("bench permute");
  const auto start = std::chrono::steady_clock::now();
  const row_column_permutation order =
      r.order ? *r.order : make_permutation(a_, r.kind, seed_ + repetitions_);
  if (!is_random(r.kind)) r.order = order;
  const matrix<double> permuted = permute(a_, order);
  r.seconds.push_back(seconds_since(start));
  const heat_map blocks = block_counts(permuted, block_side);
  r.rows.push_back(entropy(row_counts(permuted)));
  r.columns.push_back(entropy(column_counts(permuted)));
  r.blocks.push_back(blocks.entropy);
  r.imbalance.push_back(equal_row_imbalance(permuted, where_.threads()));
  if (repetitions_ == 0 && a_.nvals() > 0)
    r.change =
        distribution_difference(before_.counts, blocks.counts, {.resamples = 499, .seed = seed_});
  measure(r, permuted, order);
}

void permutation_bench::measure(kind_record& r, const matrix<double>& permuted,
                                const row_column_permutation& order) {
  const plain_loops loops(permuted);
  std::vector<double> x(x_.size()), y(expected_.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[order.columns.new_positions()[k]] = x_[k];
  vector<double> u = vector<double>::from_array(where_, {x, nullptr});
  vector<double> w(where_, a_.rows());
  std::vector<engine> engines;
  const auto plain = [&](const char* name, std::function<void()> call) {
    engines.push_back({name, std::move(call), [&] { return y; }});
  };
  const int threads = where_.threads();
  plain("coo", [&] { loops.coo(x, y, 1); });
  plain("csr", [&] { loops.csr(x, y, 1); });
  plain("coo_split", [&] { loops.coo(x, y, threads); });
  plain("csr_split", [&] { loops.csr(x, y, threads); });
  const semiring_description semiring = *builtin_semiring("plus_times", type_code::fp64);
  for (const std::string& kernel : kernels_)
    engines.push_back({kernel,
                       [&] {
                         plan forced;
                         forced.kernel = kernel;
                         detail::output_options<detail::vector_base> how;
                         how.forced = &forced;
                         detail::multiply("mxv", w.base(), semiring, {.matrix = permuted.base()},
                                          u.base(), detail::factor_order::matrix_first, how);
                       },
                       [&] { return w.dense(0); }});
  r.gflops.resize(engines.size());
  for (std::size_t e = 0; e < engines.size(); ++e) {
    r.gflops[e].push_back(gflops_of(engines[e]));
    if (repetitions_ == 0 && complaint_.empty()) compare(r.kind, engines[e], order.rows);
  }
}

double permutation_bench::gflops_of(const engine& e) const {
  const auto seconds = [&](int calls) {
    where_.synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < calls; ++n) e.call();
    where_.synchronize();
    return seconds_since(start);
  };
  seconds(1);
  const double once = seconds(1);
  const int calls = std::clamp(static_cast<int>(least_seconds / std::max(once, 1e-7)), 1, 5000);
  return 2 * static_cast<double>(a_.nvals()) * calls / std::max(seconds(calls), 1e-9) / 1e9;
}

// Sums of the same terms in another order (Higham, section 4.2; see spmv_check.cpp).
void permutation_bench::compare(permutation_kind kind, const engine& e, const permutation& rows) {
  const std::vector<double> found = e.result();
  const auto values = a_.values();
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double got = found[rows.new_positions()[i]];
    double sum = std::abs(expected_[i]);
    const index_t end = a_.offset(static_cast<index_t>(i) + 1);
    const index_t begin = a_.offset(static_cast<index_t>(i));
    for (index_t n = begin; n < end; ++n)
      sum += std::abs(values[a_.is_iso() ? 0 : static_cast<std::size_t>(n)] *
                      x_[a_.column_indices()[static_cast<std::size_t>(n)]]);
    const double allowed =
        2 * (2 + static_cast<double>(end - begin)) * std::numeric_limits<double>::epsilon() * sum;
    if (std::abs(got - expected_[i]) <= allowed || !std::isfinite(expected_[i])) continue;
    complaint_ = fmt::format("{} by {}: row {} gives {}, without permutation {}", name_of(kind),
                             e.name, i, got, expected_[i]);
    return;
  }
}

}  // namespace tropic::cli
