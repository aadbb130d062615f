// SPDX-License-Identifier: Apache-2.0

// `tropic sssp --pairs`: distances between given pairs of vertices.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tropic/semirings/arithmetic.hpp>
#include <tropic/vector.hpp>

#include "algorithms/sssp_between.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/sssp.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/vertex_lines.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct distances_of_pairs {
  algorithms::any_sssp_between_result result;
  std::vector<double> seconds;
  index_t connected = 0;
  append_value append;  // of the pair at a position
  bool alike = true;
};

template <class D>
distances_of_pairs run_pairs_of(const program& p, const context& where,
                                const sssp_pairs_arguments& o, const algorithms::any_graph& graph,
                                const vertex_pairs& pairs) {
  constexpr D no_path = arithmetic::largest<D>();
  auto found = run_trials(
      p, where, o.trial,
      [&] {
        return algorithms::sssp_between(graph, builtin_code<D>(), pairs.from, pairs.to,
                                        {.delta = o.delta, .limit = o.limit});
      },
      [](const algorithms::any_sssp_between_result& result) {
        return vector<D>(result.distance).dense(arithmetic::largest<D>());
      });
  distances_of_pairs all{std::move(found.result), std::move(found.seconds), 0, {}, found.alike};
  for (const D d : found.values) all.connected += d != no_path;
  all.append = [values = std::make_shared<std::vector<D>>(std::move(found.values))](
                   fmt::memory_buffer& to, std::size_t k) {
    const D d = (*values)[k];
    if (d == no_path)
      to.append(std::string_view("inf"));
    else
      append(to, +d);  // a number, not a character
  };
  return all;
}

std::string lines_of_pairs(const vertex_names& vertices, const vertex_pairs& pairs,
                           const append_value& append_distance) {
  fmt::memory_buffer lines;
  for (std::size_t k = 0; k < pairs.from.size(); ++k) {
    vertices.append(lines, pairs.from[k]);
    lines.push_back(' ');
    vertices.append(lines, pairs.to[k]);
    lines.push_back(' ');
    append_distance(lines, k);
    lines.push_back('\n');
  }
  return fmt::to_string(lines);
}

}  // namespace

exit_code run_sssp_pairs(const program& p, const sssp_pairs_arguments& o) {
  check_vertex_file("--pairs", o.pairs, o.file);
  check_outputs(p, {o.output}, {o.file, o.pairs});
  const context where = p.make_context();
  const loaded graph = load(p, where, sssp_input(o.file));
  const vertex_pairs pairs = read_vertex_pairs(p, where, o.pairs, graph.vertices);
  const std::size_t bytes = graph.matrix.type->size;
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.a_bytes = bytes, .x_bytes = bytes, .z_bytes = bytes}, 3);

  report r = start_report(p, "sssp", where, graph);
  const type_code weights = graph.matrix.type->code, distances = distances_over(weights, o.type);
  std::string complaint;
  const distances_of_pairs found = naming_vertices(p, o.file, graph.vertices, [&] {
    const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
    distances_of_pairs trials = with_distance_type<distances_of_pairs>(
        distances, [&]<class D>() { return run_pairs_of<D>(p, where, o, input, pairs); });
    if (o.trial.verify)
      complaint = algorithms::verify_sssp_between(
          input, pairs.from, pairs.to, trials.result,
          {.allow_saturation = o.allow_saturation, .limit = o.limit});
    return trials;
  });
  r.seconds.run = found.seconds;
  r.iterations = found.result.searches;
  r.extra["type"] = describe(distances).name;
  r.extra["pairs"] = pairs.from.size();
  r.extra["connected"] = found.connected;
  r.extra["saturated"] = found.result.saturated;
  r.extra["steps"] = found.result.steps;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("sssp     {} of {} pairs are connected{}; {} searches, {} distances\n",
                        grouped(found.connected), grouped(static_cast<index_t>(pairs.from.size())),
                        report_limit(o.limit, r), grouped(found.result.searches),
                        describe(distances).name);
  if (found.result.saturated > 0)
    r.text += fmt::format("SATURATED: {} distances of the searches are not exact\n",
                          grouped(found.result.saturated));
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify) add_checks(r, o.trial, "shortest_paths", complaint, found.alike);
  if (o.output.empty()) return finish(p, r);
  return finish(p, r, write_text(p, o.output, lines_of_pairs(graph.vertices, pairs, found.append)));
}

}  // namespace tropic::cli
