// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to the commands that run an algorithm on a graph: the report up to the first trial, the
// trials, and the checks of --verify.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"
#include "containers/context_state.hpp"

namespace tropic::cli {

struct trial_options {
  bool verify = false;
  int trials = 1;
};

inline void add_trial_options(command& to, trial_options& target, const std::string& verify_help) {
  to.flag("--verify", target.verify, verify_help);
  to.number<int>("--trials", target.trials, "run N times [" + std::to_string(target.trials) + "]",
                 1);
}

/// Begins the report and copies the graph to the device. The input is valid: prints the notices.
inline report start_report(const program& p, std::string name, const context& where,
                           const loaded& graph) {
  report r;
  r.command = std::move(name);
  r.device = where.name();
  r.set_matrix(graph.matrix);
  r.kernel = kernel_name(where);
  r.seconds.load = graph.seconds;
  p.print_notices();
  r.seconds.transfer = transfer(where, graph.matrix);
  r.memory = {where.state(), graph.matrix.bytes()};
  return r;
}

/// The seconds of `work()`, until the device has finished. Throws cancelled.
template <class Work>
double seconds_of(const program& p, const context& where, const Work& work) {
  p.check_cancelled();
  const auto start = clock::now();
  work();
  where.synchronize();
  return seconds_since(start);
}

/// The result of the last trial and the values of the first.
template <class Result, class Values>
struct trials {
  Result result;
  Values values;
  std::vector<double> seconds;
  bool alike = true;  // all trials have the same values
};

/// Runs and times `algorithm()` --trials times, and watches its memory. `values_of(result)`,
/// untimed, returns the result on the host; with --verify the values of all trials are compared.
template <class Algorithm, class ValuesOf>
auto run_trials(const program& p, const context& where, const trial_options& o,
                const Algorithm& algorithm, const ValuesOf& values_of) {
  const auto timed = [&](std::vector<double>& seconds) {
    std::optional<decltype(algorithm())> result;
    const detail::peak_watch watch(where.state()->account);
    seconds.push_back(seconds_of(p, where, [&] { result.emplace(algorithm()); }));
    return std::move(*result);
  };
  std::vector<double> seconds;
  auto first = timed(seconds);
  auto values = values_of(first);
  trials<decltype(first), decltype(values)> all{std::move(first), std::move(values),
                                                std::move(seconds)};
  for (int trial = 1; trial < o.trials; ++trial) {
    all.result = timed(all.seconds);
    if (o.verify) all.alike = all.alike && values_of(all.result) == all.values;
  }
  return all;
}

/// The checks of --verify: that of the verifier, and that all trials have the same values.
inline void add_checks(report& r, const trial_options& o, const std::string& name,
                       const std::string& complaint, bool alike) {
  r.check(name, complaint);
  if (o.trials > 1)
    r.check("same_in_every_trial", alike ? "" : "a later trial gives another result");
}

}  // namespace tropic::cli
