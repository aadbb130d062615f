// SPDX-License-Identifier: Apache-2.0

// `tropic pagerank`: the rank of every vertex, evenly or weighted, global or personalised.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/pagerank.hpp"
#include "cli/bench/trials.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/preferences.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, ranks, preferences;
  pagerank_options pagerank;
  permute_options permute;
  trial_options trial;
};

// A personalised run is checked against the reference backend, which is naive and sequential.
std::string against_reference(const program& p, const detail::matrix_base& graph,
                              const vector<double>& preference, pagerank_options options,
                              const pagerank_result& result) {
  context_options quiet;
  quiet.cancel = p.cancel;
  const context reference = context::reference(quiet);
  options.iterations = result.iterations;
  const algorithms::any_graph copy(detail::copy_to(reference.state(), graph));
  const vector<double> preference_copy = preference.to(reference);
  const std::vector<double> expected =
      algorithms::pagerank(copy, &preference_copy, options).rank.dense(-1);
  const std::vector<double> found = result.rank.dense(-1);
  // Ranks sum to 1 and rounding is all that may differ.
  for (std::size_t v = 0; v < found.size(); ++v)
    if (!(std::abs(found[v] - expected[v]) <= 1e-12 + 1e-9 * expected[v]))
      return fmt::format("vertex {} has rank {:.17g}, the reference gives {:.17g}", v, found[v],
                         expected[v]);
  return {};
}

std::string top_ten(const vertex_names& vertices, const std::vector<double>& rank,
                    nlohmann::ordered_json& json) {
  std::vector<std::size_t> order(rank.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min<std::size_t>(10, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
      [&](std::size_t a, std::size_t b) { return rank[a] != rank[b] ? rank[a] > rank[b] : a < b; });
  std::vector<std::vector<std::string>> rows{{"vertex", "rank"}};
  json = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < count; ++n) {
    const auto vertex = static_cast<index_t>(order[n]);
    rows.push_back({vertices.label(vertex), fmt::format("{:.6g}", rank[order[n]])});
    json.push_back({{"vertex", vertices.json(vertex)}, {"rank", rank[order[n]]}});
  }
  return table(rows);
}

exit_code run_on(const program& p, const options& o, const context& where, const loaded& graph) {
  std::optional<vector<double>> preference;
  if (!o.preferences.empty())
    preference = read_preferences(p, where, o.preferences, graph.vertices);

  report r = start_report(p, "pagerank", where, graph);
  constexpr index_t usual_iterations = 50;
  const permute_options permute = chosen(
      o.permute, graph.matrix,
      {.a_bytes = o.pagerank.weighted ? graph.matrix.type->size : 0, .x_bytes = 8, .z_bytes = 8},
      o.trial.trials * o.pagerank.iterations.value_or(usual_iterations));
  const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
  const auto found = run_trials(
      p, where, o.trial,
      [&] { return algorithms::pagerank(input, preference ? &*preference : nullptr, o.pagerank); },
      [](const pagerank_result& result) { return result.rank.dense(-1); });
  const pagerank_result& result = found.result;
  const std::vector<double>& rank = found.values;
  r.seconds.run = found.seconds;
  r.iterations = result.iterations;
  const double time = median(r.seconds.run);
  // What an iteration cannot do without: the matrix once, the shares and the new ranks.
  const std::size_t bytes = graph.matrix.offsets->bytes() + graph.matrix.column_indices->bytes() +
                            (o.pagerank.weighted ? graph.matrix.values->bytes() : 0) +
                            16 * static_cast<std::size_t>(r.rows);
  if (time > 0)
    r.gbytes_per_second =
        static_cast<double>(bytes) * static_cast<double>(result.iterations) / time / 1e9;
  r.more["damping"] = o.pagerank.damping;
  r.more["converged"] = result.converged;
  r.more["change"] = result.change;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("pagerank {} iteration{}, last change {:.3g}{}\n", result.iterations,
                        result.iterations == 1 ? "" : "s", result.change,
                        result.converged ? ""
                        : o.pagerank.iterations
                            ? ""
                            : fmt::format(", NOT CONVERGED to {:g}", o.pagerank.tolerance));
  tell_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "ranks",
               preference ? against_reference(p, graph.matrix, *preference, o.pagerank, result)
                          : algorithms::verify_pagerank(input, result, o.pagerank),
               found.alike);
  r.text += top_ten(graph.vertices, rank, r.more["top"]);
  const written outputs = write_outputs(
      p, graph.vertices, {{o.ranks, [&](auto& to, std::size_t v) { append(to, rank[v]); }}});
  return finish(p, r, outputs);
}

exit_code run(const program& p, const options& o) {
  check_outputs(p, {o.ranks}, {o.file, o.preferences});
  check_preferences(o.preferences, o.file);
  detail::check(o.pagerank);
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, o.pagerank.weighted));
  switch (graph.matrix.type->code) {
    case type_code::fp64:
    case type_code::fp32:
    case type_code::int64:
    case type_code::boolean: return run_on(p, o, where, graph);
    default:
      refuse_option("--type", "'" + std::string(graph.matrix.type->name) + "'",
                    "fp64, fp32, int64 or bool for weights");
  }
}

}  // namespace

void add_pagerank(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command made(app, p, "pagerank", "where a random walk spends its time",
               {.device = true, .reading = true, .type = true},
               {"tropic pagerank graph.mtx --tolerance 1e-9 --output ranks.txt",
                "tropic pagerank kron:14 --iterations 20 --trials 3 --verify",
                "tropic pagerank graph.mtx --weighted --personalize seeds.txt"});
  made.argument("FILE", o->file, file_help);
  made.text("--output", "FILE", o->ranks, "write `vertex rank` lines");
  made.number<double>("--damping", o->pagerank.damping,
                      "share of the walk that follows edges [0.85]", 0, 1);
  made.number<double>("--tolerance", o->pagerank.tolerance,
                      "stop when an iteration changes the ranks by less in sum [1e-6]", 0);
  made.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                       "stop after N iterations [100]", 0);
  made.number<index_t>("--iterations", o->pagerank.iterations, "exactly N iterations, from 1/n", 0);
  made.excludes("--iterations", "--tolerance");
  made.excludes("--iterations", "--max-iterations");
  made.flag("--weighted", o->pagerank.weighted, "follow edges in proportion to weights");
  made.text("--personalize", "FILE", o->preferences,
            "jump to the vertices of FILE alone: `vertex [weight]` lines");
  add_permute_options(made, o->permute);
  add_trial_options(made, o->trial, "check by a serial iteration (personalised: by the reference)");
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
