// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bodies of run_sssp and make_benched_sssp, for the files that instantiate it.

#include <memory>
#include <optional>
#include <utility>

#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/verify/sssp.hpp>

#include "cli/commands/sssp_run.hpp"

namespace tropic::cli {

template <class D, class T>
sssp_outcome run_sssp(const program& p, const detail::matrix_base& graph,
                      const sssp_request& request) {
  const matrix<T> a(graph);
  const context where = a.where();
  constexpr D unreached = arithmetic::largest<D>();
  sssp_options options;
  options.delta = request.delta;
  options.parents = request.parents || request.trial.verify;

  timings before;
  const std::optional<relabelled_graph<T>> relabelled = relabel(a, request.permute, before);
  auto found = run_trials(
      p, where, request.trial,
      [&] {
        return relabelled ? sssp<D>(*relabelled, request.source, options)
                          : sssp<D>(a, request.source, options);
      },
      [&](const sssp_result<D>& result) { return result.distance.dense(unreached); });
  const sssp_result<D>& result = found.result;
  const auto distance = std::make_shared<std::vector<D>>(std::move(found.values));

  sssp_outcome outcome;
  outcome.seconds = found.seconds;
  outcome.convert = before.convert;
  outcome.transfer = before.transfer;
  outcome.alike = found.alike;
  outcome.steps = result.steps;
  outcome.delta = result.delta;
  outcome.saturated = result.saturated;
  // Short of "no path".
  if constexpr (std::is_floating_point_v<D>)
    outcome.distance_range = fmt::format("up to {}", std::numeric_limits<D>::max());
  else
    outcome.distance_range = "up to " + std::to_string(unreached - 1);
  // Without buckets: weights are negative, and sums are clamped at either end.
  if (result.delta == 0 && std::is_signed_v<D>)
    outcome.distance_range = fmt::format("from {} ", +std::numeric_limits<D>::lowest()) +
                             outcome.distance_range.substr(3);
  for (std::size_t v = 0; v < distance->size(); ++v) {
    const D d = (*distance)[v];
    if (d == unreached) continue;
    ++outcome.reached;
    if (outcome.farthest >= 0 && !(d > (*distance)[static_cast<std::size_t>(outcome.farthest)]))
      continue;
    outcome.farthest = static_cast<index_t>(v);
  }
  outcome.farthest_distance =
      static_cast<double>((*distance)[static_cast<std::size_t>(outcome.farthest)]);
  outcome.append_distance = [distance](fmt::memory_buffer& to, std::size_t v) {
    const D d = (*distance)[v];
    if (d == unreached)
      to.append(std::string_view("inf"));
    else if constexpr (sizeof(D) == 1)
      append(to, static_cast<int>(d));  // a number, not a character
    else
      append(to, d);
  };
  if (request.parents) outcome.parents = result.parent.dense(-1);
  if (request.trial.verify)
    outcome.complaint =
        verify_sssp(a, request.source, result, {.allow_saturation = request.allow_saturation});
  return outcome;
}

// Distances alone are timed, as GAP asks for no more. The verifier needs parents: they are found by
// another run, whose distances must be those of the first.
template <class D, class T>
class benched_sssp : public benched_algorithm {
 public:
  benched_sssp(const detail::matrix_base& graph, double delta)
      : benched_algorithm(graph), graph_(graph) {
    options_.delta = delta;
    options_.parents = false;
  }
  void run(index_t source) override {
    result_.emplace(sssp<D>(graph_, source, options_));
    // The width is the graph's: GAP lets it be chosen once, outside the time.
    options_.delta = result_->delta;
  }
  trial_facts look(index_t source, bool verify) override {
    constexpr D unreached = arithmetic::largest<D>();
    const sssp_result<D> result = std::move(*std::exchange(result_, std::nullopt));
    const std::vector<D> distance = result.distance.dense(unreached);
    trial_facts facts{result.steps,
                      edges_of([&](std::size_t v) { return distance[v] != unreached; })};
    if (!verify) return facts;
    sssp_options whole = options_;
    whole.parents = true;
    const sssp_result<D> with_parents = sssp<D>(graph_, source, whole);
    facts.complaint = with_parents.distance.dense(unreached) == distance
                          ? verify_sssp(graph_, source, with_parents)
                          : "a second run gives other distances";
    return facts;
  }
  void add_to(report& r) const override {
    r.extra["delta"] = options_.delta;
    r.extra["type"] = describe<D>().name;
  }

 private:
  matrix<T> graph_;
  sssp_options options_;
  std::optional<sssp_result<D>> result_;
};

template <class D, class T>
std::unique_ptr<benched_algorithm> make_benched_sssp(const detail::matrix_base& graph,
                                                     double delta) {
  return std::make_unique<benched_sssp<D, T>>(graph, delta);
}

}  // namespace tropic::cli
