// SPDX-License-Identifier: Apache-2.0

// tropic_bench_permute: the effect of permutations on the speed of a product, by the method of Jain
// et al. ("Entropy maximization in sparse matrix by vector multiplication", 2021, section 6). Every
// kind is drawn and timed many times; reported are the minimum, mean and maximum GFlop/s
// (2 entries / seconds, fp64) and the entropy of the permuted matrix. Timed are plain loops over
// coordinates and CSR, sequential and divided over threads by equal rows, and kernels of the
// device.
//
// The kinds take turns, so that a change of the machine's speed affects all of them. A product is
// called often enough to take a few milliseconds. Ordering, permuting and the first call, which
// compiles and copies to a device, are not timed.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>
#include <tropic/measures.hpp>
#include <tropic/permute.hpp>
#include <tropic/semirings/builtins.hpp>

#include "backends/backend.hpp"
#include "cli/input/load.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"
#include "plain_loops.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file;
  int repeats = 32;
  std::uint64_t seed = 1;
};

// The measurements of one kind of permutation, a number for each repetition.
struct kind_record {
  permutation_kind kind;
  std::optional<row_column_permutation> order{};  // if it is the same in every repetition
  std::vector<std::vector<double>> gflops{};      // by engine
  std::vector<double> rows{}, columns{}, blocks{}, imbalance{}, seconds{};
  significance change{};  // of the distribution of blocks, in the first repetition
};

// A way to compute y = A x, prepared for one matrix.
struct engine {
  std::string name;
  std::function<void()> call;
  std::function<std::vector<double>()> result;
};

// Draws, applies and times every kind that the matrix supports, in turns.
class permutation_bench {
 public:
  permutation_bench(const context& where, const matrix<double>& a, std::uint64_t seed);

  /// One repetition of every kind. Throws cancelled.
  void repeat();

  /// Of the engines: plain loops, then kernels of the device.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<kind_record>& records() const { return records_; }
  /// Empty if all engines computed the product of the original matrix.
  const std::string& complaint() const { return complaint_; }

 private:
  void repeat(kind_record& r);
  void measure(kind_record& r, const matrix<double>& permuted, const row_column_permutation& order);
  double gflops_of(const engine& e) const;
  void compare(permutation_kind kind, const engine& e, const permutation& rows);

  const context& where_;
  const matrix<double>& a_;
  const std::uint64_t seed_;
  std::vector<double> x_, expected_;
  heat_map original_blocks_;
  std::vector<kind_record> records_;
  std::vector<std::string> names_, kernels_;
  std::string complaint_;
  std::uint64_t repetitions_ = 0;
};

constexpr int block_side = 8;

permutation_bench::permutation_bench(const context& where, const matrix<double>& a,
                                     std::uint64_t seed)
    : where_(where), a_(a), seed_(seed), x_(static_cast<std::size_t>(a.columns())) {
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = static_cast<double>(1 + k % 7);
  expected_.resize(static_cast<std::size_t>(a.rows()));
  plain_loops(a).csr(x_, expected_, 1);
  original_blocks_ = block_counts(a, block_side);
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
  const auto start = clock::now();
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
    r.change = distribution_difference(original_blocks_.counts, blocks.counts,
                                       {.resamples = 499, .seed = seed_});
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
                         detail::output_options<detail::vector_base> options;
                         options.forced = &forced;
                         detail::multiply("mxv", w.base(), semiring, {.matrix = permuted.base()},
                                          u.base(), detail::factor_order::matrix_first, options);
                       },
                       [&] { return w.dense(0); }});
  r.gflops.resize(engines.size());
  for (std::size_t e = 0; e < engines.size(); ++e) {
    r.gflops[e].push_back(gflops_of(engines[e]));
    if (repetitions_ == 0 && complaint_.empty()) compare(r.kind, engines[e], order.rows);
  }
}

double permutation_bench::gflops_of(const engine& e) const {
  constexpr double minimum_seconds = 5e-3;
  const auto seconds = [&](int calls) {
    where_.synchronize();
    const auto start = clock::now();
    for (int n = 0; n < calls; ++n) e.call();
    where_.synchronize();
    return seconds_since(start);
  };
  seconds(1);
  const double once = seconds(1);
  const int calls = std::clamp(static_cast<int>(minimum_seconds / std::max(once, 1e-7)), 1, 5000);
  return 2 * static_cast<double>(a_.nvals()) * calls / std::max(seconds(calls), 1e-9) / 1e9;
}

// Sums of the same terms in another order (Higham, section 4.2; see cli/commands/spmv_check.cpp).
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

// The minimum, mean and maximum of some numbers.
struct range {
  double minimum = 0, mean = 0, maximum = 0;

  explicit range(const std::vector<double>& values) {
    if (values.empty()) return;
    minimum = *std::ranges::min_element(values);
    maximum = *std::ranges::max_element(values);
    mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  nlohmann::ordered_json json() const {
    return {{"min", minimum}, {"mean", mean}, {"max", maximum}};
  }
};

void add_to_report(const permutation_bench& b, const options& o, int threads, report& r) {
  r.extra["threads"] = threads;
  r.extra["repeats"] = o.repeats;
  r.extra["seed"] = o.seed;
  std::vector<std::vector<std::string>> speed{{"GFlop/s"}},
      measures{{"bits, permuting", "rows", "columns", "blocks", "distance", "p", "imbalance",
                "seconds"}};
  for (const std::string& name : b.names()) speed[0].push_back(name);
  for (const kind_record& k : b.records()) {
    nlohmann::ordered_json object{{"kind", name_of(k.kind)}};
    speed.push_back({std::string(name_of(k.kind))});
    for (std::size_t e = 0; e < b.names().size(); ++e) {
      const range found(k.gflops[e]);
      object["gflops"][b.names()[e]] = found.json();
      speed.back().push_back(
          fmt::format("{:.3f} {:.3f} {:.3f}", found.minimum, found.mean, found.maximum));
    }
    const range rows(k.rows), columns(k.columns), blocks(k.blocks), imbalance(k.imbalance);
    object["entropy"] = {
        {"rows", rows.json()}, {"columns", columns.json()}, {"blocks", blocks.json()}};
    object["distance"] = k.change.statistic;
    object["p_value"] = k.change.p_value;
    object["imbalance"] = imbalance.json();
    object["seconds"] = range(k.seconds).json();
    r.extra["kinds"].push_back(object);
    measures.push_back({std::string(name_of(k.kind)), fmt::format("{:.3f}", rows.mean),
                        fmt::format("{:.3f}", columns.mean), fmt::format("{:.3f}", blocks.mean),
                        fmt::format("{:.3f}", k.change.statistic),
                        fmt::format("{:.3f}", k.change.p_value),
                        fmt::format("{:.2f}", imbalance.mean), duration(range(k.seconds).mean)});
  }
  r.text += fmt::format(
      "permute  {} repetition{}, seeds from {}; min, mean, max; split: equal rows on {} "
      "thread{}\n\n",
      o.repeats, o.repeats == 1 ? "" : "s", o.seed, threads, threads == 1 ? "" : "s");
  r.text += table(speed) + "\n" + table(measures) + "\n";
  r.check("same_products", b.complaint());
}

load_options real_matrix(const std::string& file) {
  load_options options;
  options.file = file;
  options.graph = false;
  options.weighted = true;
  options.rule = duplicates::sum;
  options.type = [](type_code) { return type_code::fp64; };
  return options;
}

exit_code run(const program& p, const options& o) {
  const context where = p.make_context();
  const loaded input = load(p, where, real_matrix(o.file));
  p.print_notices();
  const matrix<double> a(input.matrix);
  report r;
  r.command = "bench permute";
  r.device = where.name();
  r.set_matrix(input.matrix);
  r.seconds.load = input.seconds;
  r.text = headline(o.file, r, where);
  permutation_bench b(where, a, o.seed);
  for (int n = 0; n < o.repeats; ++n) b.repeat();
  for (const kind_record& k : b.records())
    if (k.kind != permutation_kind::none)
      r.seconds.convert += std::accumulate(k.seconds.begin(), k.seconds.end(), 0.0);
  add_to_report(b, o, where.threads(), r);
  return finish(p, r);
}

void add_options(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command cmd(app, p, "Speed and entropy of a product under every kind of permutation",
              {.device = true, .reading = true},
              {"scripts/bench permute matrix.mtx --threads 8",
               "scripts/bench permute kron:16 --device cuda --repeat 8 --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.number<int>("--repeat", o->repeats, "draw and time each kind N times [32]", 1);
  cmd.number<std::uint64_t>("--seed", o->seed, "random orders have the seeds N, N + 1 ... [1]", 0);
  cmd.runs([&p, o] { return run(p, *o); });
}

}  // namespace

}  // namespace tropic::cli

int main(int count, char** arguments) {
  return tropic::cli::run_program({"tropic_bench_permute", tropic::cli::add_options}, count,
                                  arguments);
}
