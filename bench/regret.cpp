// SPDX-License-Identifier: Apache-2.0

// tropic_bench_regret: how much slower the planned kernel is than the best one would have been.
//
// For each matrix, semiring and number of calls: the total time of the plan's choice (inspection +
// conversion + calls x median, all measured) divided by that of the best candidate, without an
// inspection. Every kernel of the device is run by name, unless the plan excludes it. For a single
// call the choice is a product without a plan, as a caller gets it, measured in turns with the
// candidates. If choice and best differ by less than their noise, or by less than a microsecond,
// they are equal: the regret is 1.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/bench/candidates.hpp"
#include "cli/input/product_input.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"
#include "plan/calibration.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::vector<std::string> files;
  int rounds = 7;
};

struct product_type {
  const char* semiring;
  type_code type;

  std::string name() const { return fmt::format("{} {}", semiring, describe(type).name); }
};
constexpr product_type products[] = {{"plus_times", type_code::fp32},
                                     {"plus_times", type_code::fp64},
                                     {"min_plus", type_code::fp32},
                                     {"or_and", type_code::boolean}};
constexpr index_t all_calls[] = {1, 10, 1000};

struct regret {
  std::string matrix, product, chosen, best;
  index_t calls;
  double factor, inspection;
};
struct prediction {
  std::string matrix, product, kernel;
  double predicted, measured;  // seconds a call
  double conversion_predicted, conversion_measured;
  detail::work_mapping mapping;
};
struct findings {
  std::vector<regret> regrets;
  std::vector<prediction> predictions;
  std::vector<double> inspections;   // longer than 200 us, in calls of the best kernel
  std::vector<double> errors;        // of predictions, |predicted / measured - 1|
  std::vector<double> correlations;  // of predicted and measured ranks, by matrix and product
};

// Spearman's: 1 - 6 sum(squared differences of ranks) / (n (n^2 - 1)).
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t n = a.size();
  const auto ranks = [n](const std::vector<double>& values) {
    std::vector<std::size_t> order(n), rank(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return values[k]; });
    for (std::size_t k = 0; k < n; ++k) rank[order[k]] = k;
    return rank;
  };
  const std::vector<std::size_t> of_a = ranks(a), of_b = ranks(b);
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double d = static_cast<double>(of_a[k]) - static_cast<double>(of_b[k]);
    sum += d * d;
  }
  const auto count = static_cast<double>(n);
  return 1 - 6 * sum / (count * (count * count - 1));
}

// The input with a copy of the matrix for which nothing is cached.
product_input without_cache(const product_input& input) {
  product_input copy = input;
  copy.matrix.derived = detail::make_derived_copies();
  return copy;
}

// One matrix and product: its candidates, measured. The last one is a product without a plan.
struct measured_case {
  const context& where;
  const std::string& file;
  std::string product;
  const product_input& input;
  std::vector<plan_candidate> candidates;
  std::vector<measured_candidate> measured{};

  std::size_t without_plan() const { return candidates.size() - 1; }
};

void add_predictions(const measured_case& c, findings& found) {
  const detail::backend& executor = *c.where.state()->executor;
  const product_input& input = c.input;
  std::vector<double> predicted, measured;
  for (std::size_t n = 0; n < c.without_plan(); ++n) {
    if (!c.measured[n].ran) continue;
    const plan_candidate& candidate = c.candidates[n];
    predicted.push_back(candidate.call);
    measured.push_back(c.measured[n].call);
    found.errors.push_back(std::abs(candidate.call / c.measured[n].call - 1));
    found.predictions.push_back(
        {c.file, c.product, candidate.name(), candidate.call, c.measured[n].call,
         candidate.conversion, c.measured[n].conversion,
         executor.mapping_of(input.matrix, *executor.find_kernel(candidate.kernel),
                             input.semiring.z().size, detail::exits_early(input.semiring))});
  }
  if (predicted.size() > 1) found.correlations.push_back(rank_correlation(predicted, measured));
}

struct timed_plan {
  plan chosen;
  double inspection;  // seconds, the median
};

timed_plan inspect(const measured_case& c, index_t calls) {
  timed_plan result;
  std::vector<double> inspections;
  for (int round = 0; round < 3; ++round) {
    const product_input fresh = without_cache(c.input);
    c.where.synchronize();
    const auto start = clock::now();
    result.chosen = detail::inspect_product(fresh.semiring, {.matrix = fresh.matrix}, fresh.x,
                                            detail::factor_order::matrix_first, calls);
    inspections.push_back(seconds_since(start));
  }
  result.inspection = calls == 1 ? 0 : median(inspections);
  return result;
}

void add_regret(const measured_case& c, index_t calls, findings& found) {
  const auto [chosen, inspection] = inspect(c, calls);
  const std::size_t none = c.without_plan();
  std::size_t choice = none, best = none;
  double fastest_call = 0;
  for (std::size_t n = 0; n < none; ++n) {
    if (!c.measured[n].ran) continue;
    const plan_candidate& candidate = c.candidates[n];
    if (candidate.kernel == chosen.kernel && candidate.hot_columns == chosen.hot_columns)
      choice = n;
    if (best == none || c.measured[n].total(calls) < c.measured[best].total(calls)) best = n;
    if (fastest_call == 0 || c.measured[n].call < fastest_call) fastest_call = c.measured[n].call;
  }
  if (choice == none)
    throw error(c.file + ": the plan's " + std::string(chosen.kernel) + " was not measured");
  if (chosen.details != nullptr && inspection > 200e-6)
    found.inspections.push_back(inspection / fastest_call);
  const measured_candidate& run = c.measured[calls == 1 ? none : choice];
  const double total = inspection + run.total(calls), best_total = c.measured[best].total(calls);
  const double noise = std::max(run.noise, c.measured[best].noise);
  constexpr double clock_noise = 1e-6;
  const bool is_equal = total <= std::max(best_total * (1 + noise), best_total + clock_noise);
  found.regrets.push_back({c.file, c.product, c.candidates[choice].name(),
                           c.candidates[best].name(), calls, is_equal ? 1 : total / best_total,
                           inspection});
}

void measure_case(const context& where, const std::string& file, const product_type& type,
                  const product_input& input, int rounds, findings& found) {
  const product_input cached = without_cache(input);
  // All candidates, by a plan that weighs them at any cost.
  const plan all = detail::inspect_product(cached.semiring, {.matrix = cached.matrix}, cached.x,
                                           detail::factor_order::matrix_first, 1000,
                                           detail::inspection_rule::always);
  if (all.details == nullptr) return;
  measured_case c{where, file, type.name(), cached, all.details->candidates};
  c.candidates.emplace_back();
  c.measured = measure(where, cached, c.candidates, rounds);
  add_predictions(c, found);
  for (const index_t calls : all_calls) add_regret(c, calls, found);
}

double share_within(const std::vector<regret>& all, double limit, index_t calls = 0) {
  std::size_t count = 0, within = 0;
  for (const regret& r : all) {
    if (calls != 0 && r.calls != calls) continue;
    ++count;
    within += r.factor <= limit;
  }
  return count == 0 ? 1 : static_cast<double>(within) / static_cast<double>(count);
}

void add_summary(const findings& found, std::size_t matrices, report& r) {
  const double within = share_within(found.regrets, 1.1),
               worst = found.regrets.empty() ? 1 : found.regrets.front().factor;
  r.extra["matrices"] = matrices;
  r.extra["cases"] = found.regrets.size();
  r.extra["within_10_percent"] = within;
  r.extra["worst"] = worst;
  r.extra["prediction_error_median"] = median(found.errors);
  r.extra["rank_correlation_median"] = median(found.correlations);
  r.text = fmt::format("{} matrices on {}, {} cases, {} kernels measured\n", matrices, r.device,
                       found.regrets.size(), found.predictions.size());
  r.text += fmt::format("within 10 % of the best: {:.1f} %", 100 * within);
  for (const index_t calls : all_calls)
    r.text += fmt::format(", {} {}: {:.1f} %", calls, calls == 1 ? "call" : "calls",
                          100 * share_within(found.regrets, 1.1, calls));
  r.text += fmt::format("\nworst: {:.2f} times the best\n", worst);
  r.text += fmt::format(
      "predicted times of a call: median error {:.0f} %, rank correlation {:.2f} (median)\n",
      100 * median(found.errors), median(found.correlations));
  if (found.inspections.empty()) return;
  const double longest = *std::ranges::max_element(found.inspections);
  r.extra["inspection"] = {{"median", median(found.inspections)}, {"maximum", longest}};
  r.text += fmt::format("inspections of more than 200 us: {:.2f} calls (median), at most {:.2f}\n",
                        median(found.inspections), longest);
}

void add_cases(const findings& found, report& r) {
  std::vector<std::vector<std::string>> rows{
      {"worst five", "product", "calls", "chosen", "best", "regret"}};
  nlohmann::ordered_json regrets = nlohmann::ordered_json::array();
  for (const regret& one : found.regrets) {
    regrets.push_back({{"matrix", one.matrix},
                       {"product", one.product},
                       {"calls", one.calls},
                       {"chosen", one.chosen},
                       {"best", one.best},
                       {"regret", one.factor},
                       {"inspection", one.inspection}});
    if (rows.size() <= 5)
      rows.push_back({one.matrix.substr(one.matrix.find_last_of('/') + 1), one.product,
                      std::to_string(one.calls), one.chosen, one.best,
                      fmt::format("{:.2f}", one.factor)});
  }
  r.extra["regrets"] = regrets;
  nlohmann::ordered_json predictions = nlohmann::ordered_json::array();
  for (const prediction& one : found.predictions)
    predictions.push_back({{"matrix", one.matrix},
                           {"product", one.product},
                           {"kernel", one.kernel},
                           {"predicted", one.predicted},
                           {"measured", one.measured},
                           {"conversion_predicted", one.conversion_predicted},
                           {"conversion_measured", one.conversion_measured},
                           {"shape", to_json(one.mapping)}});
  r.extra["predictions"] = predictions;
  r.text += table(rows);
}

exit_code run(const program& p, const options& o) {
  const context where = p.make_context();
  if (where.state()->executor->kernels().size() == 1)
    refuse_option("--device", where.name(), "one that has several kernels to choose from");
  p.print_notices();
  detail::constants_of(*where.state());
  findings found;
  for (const std::string& file : o.files)
    for (const product_type& type : products) {
      program typed = p;
      // Booleans: the pattern of the matrix, whose values may be of any type.
      const bool is_pattern = type.type == type_code::boolean;
      if (is_pattern)
        typed.common.type.reset();
      else
        typed.common.type = type.type;
      semiring_options semiring;
      semiring.builtin = type.semiring;
      const product_input input = load_product(typed, where, file, semiring, is_pattern);
      transfer(where, input.matrix);
      measure_case(where, file, type, input, o.rounds, found);
      detail::evict_derived(*where.state());
    }
  std::ranges::stable_sort(found.regrets, std::ranges::greater{}, &regret::factor);
  report r;
  r.command = "bench regret";
  r.device = where.name();
  add_summary(found, o.files.size(), r);
  add_cases(found, r);
  return finish(p, r);
}

void add_options(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command cmd(app, p, "Planned kernels compared with the best ones, over many matrices",
              {.device = true},
              {"scripts/bench regret kron:14 grid:256 graph.mtx --device cpu",
               "scripts/bench regret kron:16 --device opencl --json"});
  cmd.argument("FILE", o->files, file_help);
  cmd.number<int>("--rounds", o->rounds, "time each candidate N times, in turns [7]", 1);
  cmd.runs([&p, o] { return run(p, *o); });
}

}  // namespace

}  // namespace tropic::cli

int main(int count, char** arguments) {
  return tropic::cli::run_program({"tropic_bench_regret", tropic::cli::add_options}, count,
                                  arguments);
}
