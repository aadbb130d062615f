// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to the commands that find one value for every vertex of a graph without weights: their
// input, trials, report, checks and output.

#include <cstddef>
#include <string>

#include "algorithms/any_graph.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "plan/cost_model.hpp"

namespace tropic::cli {

struct vertex_options {
  std::string file, output;
  permute_options permute;
  trial_options trial;
};

inline void add_vertex_options(command& to, vertex_options& target, const std::string& output_help,
                               const std::string& verify_help) {
  to.text("--output", "FILE", target.output, output_help);
  add_permute_options(to, target.permute);
  add_trial_options(to, target.trial, verify_help);
}

/// The products that --permute auto orders the graph for: as many products over all entries.
struct expected_products {
  detail::product_traits traits{.x_bytes = 8, .z_bytes = 8};
  index_t calls = 2;
};

/// Writes a value that is a vertex, by its name, or one that is a number.
inline constexpr auto append_vertex = [](fmt::memory_buffer& to, const vertex_names& names,
                                         index_t value) { names.append(to, value); };
inline constexpr auto append_number = [](fmt::memory_buffer& to, const vertex_names&, auto value) {
  append(to, +value);
};

/// Runs a command. `Search` has:
///
///   name, check              the names of the command and of its check of --verify
///   products()               expected_products
///   find(input)              the result of the algorithm on algorithms::any_graph
///   values(result)           a std::vector of the vertices' values
///   iterations(result)
///   describe(result, values, r)  adds keys to the report `r`, and returns its line of text
///   verify(input, result)    what is wrong, or ""
///   append                   append_vertex or append_number
template <class Search>
exit_code run_search(const program& p, const vertex_options& o, const Search& search) {
  check_outputs(p, {o.output}, {o.file});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  report r = start_report(p, search.name, where, graph);
  const expected_products products = search.products();
  const permute_options permute = chosen(o.permute, graph.matrix, products.traits, products.calls);
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial, [&] { return search.find(input); },
      [&](const auto& result) { return search.values(result); });
  r.seconds.run = found.seconds;
  r.iterations = search.iterations(found.result);
  const std::string line = search.describe(found.result, found.values, r);

  r.text = headline(o.file, r, where) + line;
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, search.check, search.verify(input, found.result), found.alike);
  const written outputs =
      write_outputs(p, graph.vertices, {{o.output, [&](auto& to, std::size_t v) {
                                           search.append(to, graph.vertices, found.values[v]);
                                         }}});
  return finish(p, r, outputs);
}

}  // namespace tropic::cli
