// SPDX-License-Identifier: Apache-2.0

// `tropic pagerank`: the rank of every vertex, with or without weights, global or personalised,
// also for many preferences at once.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/detail/number_text.hpp>
#include <tropic/error.hpp>

#include "algorithms/pagerank.hpp"
#include "algorithms/pagerank_batch.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/vertex_lines.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/top.hpp"

namespace tropic::cli {

namespace {

struct pagerank_arguments {
  std::string file, ranks, preferences, groups;
  pagerank_options pagerank;
  permute_options permute;
  trial_options trial;
};

bool parse(std::string_view word, double& value) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size();
}

// --personalize FILE: a line `vertex [weight]` per vertex; the default weight is 1. Throws as
// read_vertex_lines does.
vector<double> read_preferences(const program& p, const context& where, const std::string& file,
                                const vertex_names& vertices) {
  std::vector<index_t> positions;
  std::vector<double> weights;
  double sum = 0;
  // The entries, and the memory to sort them by position.
  constexpr std::size_t bytes = 3 * (sizeof(index_t) + sizeof(double));
  read_vertex_lines(
      p, where, file, "preferences", vertices, {.per_line = bytes},
      [&](const line_counts& counts) {
        positions.reserve(counts.lines);
        weights.reserve(counts.lines);
      },
      [&](vertex_line& line) {
        positions.push_back(line.take_vertex());
        double weight = 1;
        const std::string_view word = line.take_word();
        if (!word.empty() && !(parse(word, weight) && weight >= 0 && std::isfinite(weight)))
          line.refuse(word, "a weight, finite and not negative");
        line.finish();
        weights.push_back(weight);
        sum += weight;
      });
  if (!(sum > 0) || !std::isfinite(sum))
    throw input_error(file, 0, "weights with the sum " + detail::number_text(sum),
                      "a positive, finite sum");
  return vector<double>::from_entries(where, vertices.count(), positions, weights, duplicates::sum);
}

// Personalised runs are checked against the reference backend, which is sequential.
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
  // Ranks sum to 1 or less; only rounding may differ.
  const double relative = options.single ? 0x1p-16 : 1e-9;
  for (std::size_t v = 0; v < found.size(); ++v)
    if (!(std::abs(found[v] - expected[v]) <= 1e-12 + relative * expected[v]))
      return fmt::format("vertex {} has rank {:.17g}, the reference gives {:.17g}", v, found[v],
                         expected[v]);
  return {};
}

exit_code run_on(const program& p, const pagerank_arguments& o, const context& where,
                 const loaded& graph) {
  std::optional<vector<double>> preference;
  if (!o.preferences.empty())
    preference = read_preferences(p, where, o.preferences, graph.vertices);

  report r = start_report(p, "pagerank", where, graph);
  constexpr index_t usual_iterations = 50;
  const std::size_t rank_bytes = o.pagerank.single ? sizeof(float) : sizeof(double);
  const permute_options permute =
      chosen(o.permute, graph.matrix,
             {.a_bytes = o.pagerank.weighted ? graph.matrix.type->size : 0,
              .x_bytes = rank_bytes,
              .z_bytes = rank_bytes},
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
  // The bytes that an iteration must move: the matrix once, the shares and the new ranks.
  const std::size_t bytes = graph.matrix.offsets->bytes() + graph.matrix.column_indices->bytes() +
                            (o.pagerank.weighted ? graph.matrix.values->bytes() : 0) +
                            2 * rank_bytes * static_cast<std::size_t>(r.rows);
  if (time > 0)
    r.gbytes_per_second =
        static_cast<double>(bytes) * static_cast<double>(result.iterations) / time / 1e9;
  r.extra["damping"] = o.pagerank.damping;
  r.extra["lose_dangling"] = o.pagerank.lose_dangling;
  r.extra["single"] = o.pagerank.single;
  r.extra["converged"] = result.converged;
  r.extra["change"] = result.change;

  r.text = headline(o.file, r, where);
  r.text += fmt::format("pagerank {} iteration{}, last change {:.3g}{}\n", result.iterations,
                        result.iterations == 1 ? "" : "s", result.change,
                        result.converged ? ""
                        : o.pagerank.iterations
                            ? ""
                            : fmt::format(", NOT CONVERGED to {:g}", o.pagerank.tolerance));
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "ranks",
               preference ? against_reference(p, graph.matrix, *preference, o.pagerank, result)
                          : algorithms::verify_pagerank(input, result, o.pagerank),
               found.alike);
  r.text += top_ten(graph.vertices, rank, "rank", r.extra["top"]);
  const written outputs = write_outputs(
      p, graph.vertices, {{o.ranks, [&](auto& to, std::size_t v) { append(to, rank[v]); }}});
  return finish(p, r, outputs);
}

// --preferences FILE: a preference for every line, a list of vertices; those listed more often
// count more.
full_matrix<double> read_many_preferences(const program& p, const context& where,
                                          const std::string& file, const vertex_names& vertices) {
  const vertex_groups groups = read_vertex_groups(p, where, file, vertices);
  const auto runs = static_cast<index_t>(groups.starts.size() - 1);
  full_matrix<double> preferences(where, vertices.count(), runs, 0.0);
  for (index_t s = 0; s < runs; ++s)
    for (std::size_t at = groups.starts[static_cast<std::size_t>(s)];
         at < groups.starts[static_cast<std::size_t>(s) + 1]; ++at) {
      const index_t v = groups.vertices[at];
      preferences.set(v, s, *preferences.get(v, s) + 1);
    }
  return preferences;
}

exit_code run_batch(const program& p, const pagerank_arguments& o, const context& where,
                    const loaded& graph) {
  const auto preferences = read_many_preferences(p, where, o.groups, graph.vertices);
  const auto runs = static_cast<std::size_t>(preferences.columns());

  report r = start_report(p, "pagerank", where, graph);
  const auto found = run_trials(
      p, where, o.trial,
      [&] { return algorithms::pagerank_batch(graph.matrix, preferences, o.pagerank); },
      [](const pagerank_batch_result& result) { return result.rank.dense(-1); });
  const pagerank_batch_result& result = found.result;
  const std::vector<double>& rank = found.values;
  r.seconds.run = found.seconds;
  const auto [least, greatest] = std::ranges::minmax_element(result.iterations);
  r.iterations = *greatest;
  const auto converged = std::ranges::count(result.converged, true);
  r.extra["damping"] = o.pagerank.damping;
  r.extra["lose_dangling"] = o.pagerank.lose_dangling;
  r.extra["single"] = o.pagerank.single;
  r.extra["runs"] = nlohmann::ordered_json::array();
  for (std::size_t s = 0; s < runs; ++s)
    r.extra["runs"].push_back({{"iterations", result.iterations[s]},
                               {"converged", static_cast<bool>(result.converged[s])},
                               {"change", result.change[s]}});

  r.text = headline(o.file, r, where);
  r.text += fmt::format(
      "pagerank from {} preferences, {} to {} iterations{}\n", grouped(preferences.columns()),
      *least, *greatest,
      o.pagerank.iterations || converged == std::ssize(result.converged)
          ? ""
          : fmt::format(", {} NOT CONVERGED to {:g}", std::ssize(result.converged) - converged,
                        o.pagerank.tolerance));
  r.text += timing_line(r.seconds);
  if (o.trial.verify)
    add_checks(r, o.trial, "ranks",
               algorithms::verify_pagerank_batch(graph.matrix, preferences, result, o.pagerank),
               found.alike);
  const written outputs =
      write_outputs(p, graph.vertices, {{o.ranks, [&](auto& to, std::size_t v) {
                                           for (std::size_t s = 0; s < runs; ++s) {
                                             if (s > 0) to.push_back(' ');
                                             append(to, rank[v * runs + s]);
                                           }
                                         }}});
  return finish(p, r, outputs);
}

exit_code run_pagerank(const program& p, const pagerank_arguments& o) {
  check_outputs(p, {o.ranks}, {o.file, o.preferences, o.groups});
  check_vertex_file("--personalize", o.preferences, o.file);
  check_vertex_file("--preferences", o.groups, o.file);
  detail::check(o.pagerank);
  const context where = p.make_context();
  const loaded graph = load(p, where, pagerank_input(o.file, o.pagerank.weighted));
  switch (graph.matrix.type->code) {
    case type_code::fp64:
    case type_code::fp32:
    case type_code::int64:
    case type_code::boolean:
      return o.groups.empty() ? run_on(p, o, where, graph) : run_batch(p, o, where, graph);
    default:
      refuse_option("--type", "'" + std::string(graph.matrix.type->name) + "'",
                    "fp64, fp32, int64 or bool for weights");
  }
}

}  // namespace

void add_pagerank(CLI::App& app, program& p) {
  auto o = std::make_shared<pagerank_arguments>();
  command cmd(app, p, "pagerank", "PageRank: the stationary distribution of a random walk",
              {.device = true, .reading = true, .type = true},
              {"tropic pagerank graph.mtx --tolerance 1e-9 --output ranks.txt",
               "tropic pagerank kron:14 --iterations 20 --trials 3 --verify",
               "tropic pagerank graph.mtx --weighted --personalize seeds.txt",
               "tropic pagerank graph.mtx --preferences groups.txt --output ranks.txt --verify"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->ranks, "write `vertex rank` lines");
  cmd.number<double>("--damping", o->pagerank.damping, "probability of following an edge [0.85]", 0,
                     1);
  cmd.number<double>("--tolerance", o->pagerank.tolerance,
                     "stop when the changes of all ranks add up to at most X [1e-6]", 0);
  cmd.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                      "stop after N iterations [100]", 0);
  cmd.number<index_t>("--iterations", o->pagerank.iterations,
                      "run exactly N iterations from uniform ranks", 0);
  cmd.excludes("--iterations", "--tolerance");
  cmd.excludes("--iterations", "--max-iterations");
  cmd.flag("--weighted", o->pagerank.weighted, "follow edges in proportion to weights");
  cmd.flag("--lose-dangling", o->pagerank.lose_dangling,
           "drop the rank of vertices without outgoing edges");
  cmd.flag("--single", o->pagerank.single, "compute with ranks of fp32");
  cmd.text("--personalize", "FILE", o->preferences,
           "restart only at the vertices of FILE, `vertex [weight]` lines");
  cmd.text("--preferences", "FILE", o->groups,
           "one run per line of FILE, which restarts at the vertices of that line; outputs have "
           "one rank per run");
  cmd.excludes("--preferences", "--personalize");
  add_permute_options(cmd, o->permute);
  cmd.excludes("--preferences", "--permute");
  add_trial_options(cmd, o->trial, "check by a serial iteration (personalised: by the reference)");
  cmd.runs([&p, o] { return run_pagerank(p, *o); });
}

}  // namespace tropic::cli
