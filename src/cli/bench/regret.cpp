// SPDX-License-Identifier: Apache-2.0

// `tropic bench regret`: how much slower the planned kernel is than the best one would have been.
//
// For each matrix, semiring and number of calls: the time in all of the plan's choice (inspection +
// conversion + calls x median, each measured) over that of the best candidate, which pays no
// inspection. Every kernel of the device runs by force, unless the plan can say why it cannot. Of a
// single call the choice is a product without a plan, as a caller has it, measured in turns with
// the candidates. Where choice and best lie closer together than their noise, or than a
// microsecond, the regret is 1: a tie.

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/bench/candidates.hpp"
#include "cli/input/product_input.hpp"
#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/shape_json.hpp"
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
  std::vector<double> inspections;  // in calls of the best kernel, where they take over 200 us
  std::vector<double> errors;       // of predictions, |predicted / measured - 1|
  std::vector<double> ranks;  // correlation of predicted with measured, a matrix and product each
};

// Spearman's: 1 less 6 times the squared differences of ranks over n (n^2 - 1).
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

// The matrix as if it had just been made: nothing is known of it.
product_input unknown(const product_input& input) {
  product_input made = input;
  made.matrix.derived = std::make_shared<detail::derived_copies>();
  return made;
}

void look_at(const context& where, const std::string& file, const product_type& type,
             const product_input& input, int rounds, findings& found) {
  // All candidates, by a plan that weighs them whatever that costs.
  const product_input known = unknown(input);
  const plan all =
      detail::inspect_product(known.semiring, known.matrix, false, known.x, false, 1000, true);
  if (all.details == nullptr) return;
  std::vector<plan_candidate> candidates = all.details->candidates;
  const std::size_t without_plan = candidates.size();
  candidates.emplace_back();
  const std::vector<measured_candidate> measured = measure(where, known, candidates, rounds);
  const std::string name = fmt::format("{} {}", type.semiring, describe(type.type).name);
  std::vector<double> predicted, taken;
  const detail::backend& executor = *where.state()->executor;
  for (std::size_t n = 0; n < without_plan; ++n) {
    if (!measured[n].ran) continue;
    predicted.push_back(candidates[n].each);
    taken.push_back(measured[n].each);
    found.errors.push_back(std::abs(candidates[n].each / measured[n].each - 1));
    found.predictions.push_back(
        {file, name, candidates[n].name(), candidates[n].each, measured[n].each,
         candidates[n].conversion, measured[n].conversion,
         executor.mapping_of(known.matrix, *executor.find_kernel(candidates[n].kernel),
                             known.semiring.z().size, detail::stops_early(known.semiring))});
  }
  if (predicted.size() > 1) found.ranks.push_back(rank_correlation(predicted, taken));
  for (const index_t calls : all_calls) {
    plan chosen;
    std::vector<double> inspections;
    for (int round = 0; round < 3; ++round) {
      const product_input fresh = unknown(input);
      where.synchronize();
      const auto start = std::chrono::steady_clock::now();
      chosen = detail::inspect_product(fresh.semiring, fresh.matrix, false, fresh.x, false, calls);
      inspections.push_back(seconds_since(start));
    }
    const double inspection = calls == 1 ? 0 : median(inspections);
    if (chosen.details != nullptr && inspection > 200e-6)
      found.inspections.push_back(inspection / *std::ranges::min_element(taken));
    std::size_t own = without_plan, best = without_plan;
    for (std::size_t n = 0; n < without_plan; ++n) {
      if (!measured[n].ran) continue;
      if (candidates[n].kernel == chosen.kernel && candidates[n].hot_columns == chosen.hot_columns)
        own = n;
      if (best == without_plan || measured[n].total(calls) < measured[best].total(calls)) best = n;
    }
    if (own == without_plan)
      throw error(file + ": the plan's " + std::string(chosen.kernel) + " was not measured");
    const measured_candidate& taken_way = measured[calls == 1 ? without_plan : own];
    const double total = inspection + taken_way.total(calls), least = measured[best].total(calls);
    const double noise = std::max(taken_way.noise, measured[best].noise);
    constexpr double clock_noise = 1e-6;
    const double factor =
        total <= std::max(least * (1 + noise), least + clock_noise) ? 1 : total / least;
    found.regrets.push_back(
        {file, name, candidates[own].name(), candidates[best].name(), calls, factor, inspection});
  }
}

double share_within(const std::vector<regret>& all, double bar, index_t calls = 0) {
  std::size_t count = 0, good = 0;
  for (const regret& r : all) {
    if (calls != 0 && r.calls != calls) continue;
    ++count;
    good += r.factor <= bar;
  }
  return count == 0 ? 1 : static_cast<double>(good) / static_cast<double>(count);
}

exit_code run(const program& p, const options& o) {
  const context where = p.make_context();
  if (where.state()->executor->kernels().size() == 1)
    refuse_option("--device", where.name(), "one that has several kernels to choose from");
  p.speak();
  detail::constants_of(*where.state());
  findings found;
  for (const std::string& file : o.files)
    for (const product_type& type : products) {
      program typed = p;
      // Of what is true or false, the pattern.
      const bool is_pattern = type.type == type_code::boolean;
      if (is_pattern)
        typed.common.type.reset();
      else
        typed.common.type = type.type;
      semiring_options semiring;
      semiring.builtin = type.semiring;
      const product_input input = load_product(typed, where, file, semiring, is_pattern);
      transfer(where, input.matrix);
      look_at(where, file, type, input, o.rounds, found);
      detail::evict_derived(*where.state());
    }
  report r;
  r.command = "bench regret";
  r.device = where.name();
  std::ranges::stable_sort(found.regrets, std::ranges::greater{}, &regret::factor);
  const double within = share_within(found.regrets, 1.1),
               worst = found.regrets.empty() ? 1 : found.regrets.front().factor;
  r.more["matrices"] = o.files.size();
  r.more["cases"] = found.regrets.size();
  r.more["within_10_percent"] = within;
  r.more["worst"] = worst;
  r.more["prediction_error_median"] = median(found.errors);
  r.more["rank_correlation_median"] = median(found.ranks);
  r.text = fmt::format("{} matrices on {}, {} cases, {} kernels measured\n", o.files.size(),
                       where.name(), found.regrets.size(), found.predictions.size());
  r.text += fmt::format("within 10 % of the best: {:.1f} %", 100 * within);
  for (const index_t calls : all_calls)
    r.text += fmt::format(", {} {}: {:.1f} %", calls, calls == 1 ? "call" : "calls",
                          100 * share_within(found.regrets, 1.1, calls));
  r.text += fmt::format("\nworst: {:.2f} times the best\n", worst);
  r.text += fmt::format(
      "a call's time, predicted: median error {:.0f} %, rank correlation {:.2f} (median)\n",
      100 * median(found.errors), median(found.ranks));
  if (!found.inspections.empty()) {
    const double most = *std::ranges::max_element(found.inspections);
    r.more["inspection"] = {{"median", median(found.inspections)}, {"most", most}};
    r.text +=
        fmt::format("an inspection that takes over 200 us: {:.2f} calls, {:.2f} at the most\n",
                    median(found.inspections), most);
  }
  std::vector<std::vector<std::string>> rows{
      {"worst five", "product", "calls", "chosen", "best", "regret"}};
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const regret& one : found.regrets) {
    list.push_back({{"matrix", one.matrix},
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
  r.more["regrets"] = list;
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
  r.more["predictions"] = predictions;
  r.text += table(rows);
  return finish(p, r);
}

}  // namespace

void add_bench_regret(CLI::App& bench, program& p) {
  auto o = std::make_shared<options>();
  command made(bench, p, "regret", "planned kernels beside the best ones, over many matrices",
               {.device = true},
               {"tropic bench regret kron:14 grid:256 graph.mtx --device cpu",
                "tropic bench regret kron:16 --device opencl --json"});
  made.argument("FILE", o->files, file_help);
  made.number<int>("--rounds", o->rounds, "time each N times, in turns [7]", 1);
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
