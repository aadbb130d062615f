// SPDX-License-Identifier: Apache-2.0
#pragma once

// The body of run_sssp, for the files that instantiate it.

#include <memory>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/algorithms/sssp_verify.hpp>

#include "cli/sssp_run.hpp"

namespace tropic::cli {

template <class T>
sssp_outcome run_sssp(const program& p, const detail::matrix_base& graph,
                      const sssp_request& request) {
  const matrix<T> a(graph);
  const context where = a.where();
  constexpr T unreached = arithmetic::largest<T>();
  sssp_options options;
  options.delta = request.delta;
  options.parents = request.parents || request.trial.verify;

  auto found = run_trials(
      p, where, request.trial, [&] { return sssp(a, request.source, options); },
      [&](const sssp_result<T>& result) { return result.distance.dense(unreached); });
  const sssp_result<T>& result = found.result;
  const auto distance = std::make_shared<std::vector<T>>(std::move(found.values));

  sssp_outcome outcome;
  outcome.seconds = found.seconds;
  outcome.alike = found.alike;
  outcome.steps = result.steps;
  outcome.delta = result.delta;
  for (std::size_t v = 0; v < distance->size(); ++v) {
    const T d = (*distance)[v];
    if (d == unreached) continue;
    ++outcome.reached;
    if (outcome.farthest >= 0 && !(d > (*distance)[static_cast<std::size_t>(outcome.farthest)]))
      continue;
    outcome.farthest = static_cast<index_t>(v);
  }
  outcome.farthest_distance =
      static_cast<double>((*distance)[static_cast<std::size_t>(outcome.farthest)]);
  outcome.append_distance = [distance](fmt::memory_buffer& to, std::size_t v) {
    const T d = (*distance)[v];
    if (d == unreached)
      to.append(std::string_view("inf"));
    else if constexpr (sizeof(T) == 1)
      append(to, static_cast<int>(d));  // a number, not a character
    else
      append(to, d);
  };
  if (request.parents) outcome.parents = result.parent.dense(-1);
  if (request.trial.verify) outcome.complaint = verify_sssp(a, request.source, result);
  return outcome;
}

}  // namespace tropic::cli
