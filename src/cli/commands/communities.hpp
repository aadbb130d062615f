// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to the commands that find communities of large modularity: their options, trials, report,
// checks and output.

#include <cstddef>
#include <string>

#include "cli/commands/component_labels.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

/// Options: those of the algorithm, with `resolution` and `weighted`.
template <class Options>
struct community_arguments {
  std::string file, communities;
  Options algorithm;
  trial_options trial;
};

/// The options but --verify and --trials.
template <class Options>
void add_community_options(command& to, community_arguments<Options>& target) {
  to.argument("FILE", target.file, file_help);
  to.text("--output", "FILE", target.communities,
          "write `vertex community` lines; a community is its first vertex");
  to.number<double>("--resolution", target.algorithm.resolution,
                    "above 1 for more communities, below 1 for fewer [1]", 0);
  to.flag("--weighted", target.algorithm.weighted, "count edges by their weights");
}

/// A Method has a `name`, what it repeats as `round`, and
///
///   find(matrix, options)            the result
///   rounds(result)                   how often it repeated that
///   verify(matrix, result, options)  "" or what is wrong
template <class Method, class Options>
exit_code run_communities(const program& p, const community_arguments<Options>& o) {
  check_outputs(p, {o.communities}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, o.algorithm.weighted));

  report r = start_report(p, Method::name, where, graph);
  const auto found = run_trials(
      p, where, o.trial, [&] { return Method::find(graph.matrix, o.algorithm); },
      [](const auto& result) { return result.community.dense(-1); });
  const auto& result = found.result;
  const index_t largest = largest_of(found.values), rounds = Method::rounds(result);
  r.seconds.run = found.seconds;
  r.iterations = rounds;
  r.extra["communities"] = result.communities;
  r.extra["largest"] = largest;
  if constexpr (requires { result.iterations; }) r.extra["levels"] = result.levels;
  r.extra["modularity"] = result.modularity;
  const char* const graph_of_modularity = graph.matrix.symmetric ? "A" : "A + A'";
  r.extra["modularity_of"] = graph_of_modularity;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} communit{} in {} {}{}, the largest has {} vertices\n",
                        grouped(result.communities), result.communities == 1 ? "y" : "ies", rounds,
                        Method::round, rounds == 1 ? "" : "s", grouped(largest));
  r.text += fmt::format("quality  modularity {:.6f} of the undirected graph {}\n",
                        result.modularity, graph_of_modularity);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "communities", Method::verify(graph.matrix, result, o.algorithm),
               found.alike);
  return finish(p, r,
                write_outputs(p, graph.vertices, {{o.communities, [&](auto& to, std::size_t v) {
                                                     graph.vertices.append(to, found.values[v]);
                                                   }}}));
}

}  // namespace tropic::cli
