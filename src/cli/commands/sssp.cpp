// SPDX-License-Identifier: Apache-2.0

// `tropic sssp`: distances and parents from a source. Distances are int64 for files of integers
// and for files without values, where an edge weighs 1; fp64 for real ones. --type selects the type
// of the values, and with it that of the distances, unless it is an integer of less than 64 bits:
// then distances are int64, as in C++ and C. --distances selects another type.

#include "cli/commands/sssp.hpp"

#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tropic/vector.hpp>

#include "algorithms/sssp.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct sssp_arguments {
  std::string file, distances, parents, pairs;
  std::optional<type_code> type;  // of distances
  bool allow_saturation = false;
  std::optional<std::string> source;
  double delta = 0;
  double limit = std::numeric_limits<double>::infinity();
  permute_options permute;
  trial_options trial;
};

// What the report needs of the distances, whatever their type.
struct distance_summary {
  std::string range;  // "up to 254", or with the least value if weights are negative
  index_t reached = 0;
  index_t farthest = -1;  // the smallest of the farthest vertices
  double farthest_distance = 0;
  append_value append;
};

template <class D>
constexpr D unreached = arithmetic::largest<D>();

template <class D>
std::string range_of(bool has_negative_weights) {
  std::string range;
  // The largest value is "no path".
  if constexpr (std::is_floating_point_v<D>)
    range = fmt::format("up to {}", std::numeric_limits<D>::max());
  else
    range = "up to " + std::to_string(unreached<D> - 1);
  if (has_negative_weights && std::is_signed_v<D>)  // sums are clamped at both ends
    range = fmt::format("from {} ", +std::numeric_limits<D>::lowest()) + range.substr(3);
  return range;
}

template <class D>
distance_summary summarise(std::vector<D> distances, bool has_negative_weights) {
  distance_summary summary;
  summary.range = range_of<D>(has_negative_weights);
  for (std::size_t v = 0; v < distances.size(); ++v) {
    const D d = distances[v];
    if (d == unreached<D>) continue;
    ++summary.reached;
    if (summary.farthest < 0 || d > distances[static_cast<std::size_t>(summary.farthest)])
      summary.farthest = static_cast<index_t>(v);
  }
  summary.farthest_distance =
      static_cast<double>(distances[static_cast<std::size_t>(summary.farthest)]);
  summary.append = [all = std::make_shared<std::vector<D>>(std::move(distances))](
                       fmt::memory_buffer& to, std::size_t v) {
    const D d = (*all)[v];
    if (d == unreached<D>)
      to.append(std::string_view("inf"));
    else if constexpr (sizeof(D) == 1)
      append(to, static_cast<int>(d));  // a number, not a character
    else
      append(to, d);
  };
  return summary;
}

struct outcome {
  algorithms::any_sssp_result result;
  distance_summary distances;
  std::vector<double> seconds;
  bool alike = true;
};

// The trials, over distances of type D.
template <class D>
outcome run_trials_of(const program& p, const context& where, const sssp_arguments& o,
                      const algorithms::any_graph& graph, index_t source) {
  sssp_options wanted;
  wanted.delta = o.delta;
  wanted.limit = o.limit;
  wanted.parents = !o.parents.empty() || o.trial.verify;
  auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::sssp(graph, builtin_code<D>(), source, wanted); },
      [](const algorithms::any_sssp_result& result) {
        return vector<D>(result.distance).dense(unreached<D>);
      });
  // Without buckets: Bellman-Ford.
  const bool has_negative_weights = found.result.delta == 0;
  return {std::move(found.result), summarise<D>(std::move(found.values), has_negative_weights),
          std::move(found.seconds), found.alike};
}

std::string saturation_line(const outcome& found, std::string_view type) {
  const index_t saturated = found.result.saturated;
  const bool one = saturated == 1;
  return fmt::format(
      "SATURATED: {} distance{} {} not exact; {} distances go {} ({})\n", grouped(saturated),
      one ? "" : "s", one ? "is" : "are", type, found.distances.range,
      type == "int64" || type == "uint64" || type == "fp32" ? "--type fp64" : "--distances int64");
}

exit_code run_sssp(const program& p, const sssp_arguments& o) {
  check_source(p, o.source);
  check_outputs(p, {o.distances, o.parents}, {o.file});
  const context where = p.make_context();
  loaded graph = load(p, where, sssp_input(o.file));
  const index_t source = source_of(graph, o.source, o.file);
  // An edge is relaxed a few times.
  const std::size_t bytes = graph.matrix.type->size;
  const permute_options permute =
      chosen(o.permute, graph.matrix, {.a_bytes = bytes, .x_bytes = bytes, .z_bytes = bytes}, 3);

  report r = start_report(p, "sssp", where, graph);
  const type_code weights = graph.matrix.type->code;
  const std::string_view type = describe(distances_over(weights, o.type)).name;
  std::string complaint;
  const outcome found = naming_vertices(p, o.file, graph.vertices, [&] {
    const algorithms::any_graph input = relabel(graph.matrix, permute, r.seconds);
    outcome trials = with_distance_type<outcome>(distances_over(weights, o.type), [&]<class D>() {
      return run_trials_of<D>(p, where, o, input, source);
    });
    if (o.trial.verify)
      complaint = algorithms::verify_sssp(
          input, source, trials.result, {.allow_saturation = o.allow_saturation, .limit = o.limit});
    return trials;
  });
  const distance_summary& distances = found.distances;
  r.seconds.run = found.seconds;
  r.iterations = found.result.steps;
  fmt::memory_buffer exact;
  distances.append(exact, static_cast<std::size_t>(distances.farthest));
  r.extra["source"] = graph.vertices.json(source);
  r.extra["type"] = type;
  r.extra["delta"] = found.result.delta;
  r.extra["reached"] = distances.reached;
  r.extra["saturated"] = found.result.saturated;
  r.extra["farthest"] = {{"vertex", graph.vertices.json(distances.farthest)},
                         {"distance", parsed_json({exact.data(), exact.size()})}};

  r.text = headline(o.file, r, where);
  r.text +=
      fmt::format("sssp     from vertex {} reaches {} of {} vertices{}; farthest is {} at {}\n",
                  graph.vertices.label(source), grouped(distances.reached), grouped(r.rows),
                  report_limit(o.limit, r), graph.vertices.label(distances.farthest),
                  is_floating(weights) ? grouped(distances.farthest_distance)
                                       : grouped(std::string(exact.data(), exact.size())));
  r.text += found.result.delta > 0
                ? fmt::format("steps    {}, delta {}, {} distances\n", grouped(found.result.steps),
                              grouped(found.result.delta), type)
                : fmt::format("steps    {}, Bellman-Ford (negative weights), {} distances\n",
                              grouped(found.result.steps), type);
  if (found.result.saturated > 0) r.text += saturation_line(found, type);
  report_permutation(permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify) add_checks(r, o.trial, "shortest_paths", complaint, found.alike);
  std::vector<index_t> parents;
  if (!o.parents.empty()) parents = vector<index_t>(found.result.parent).dense(-1);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.distances, distances.append},
       {o.parents, [&](auto& to, std::size_t v) { graph.vertices.append(to, parents[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void settle_types(program& p, std::optional<type_code> distances) {
  const bool by_type = p.common.type == type_code::boolean;
  if (by_type || distances == type_code::boolean)
    refuse_option(by_type ? "--type" : "--distances", "'bool'", "a type that can hold distances");
  if (!distances) return;
  if (!p.common.type) p.common.type = distances;
  distances_over(*p.common.type, distances);
}

type_code distances_over(type_code weights, std::optional<type_code> asked) {
  const type_code distances = asked.value_or(algorithms::distance_type_of(weights));
  if (algorithms::takes_weights(distances, weights)) return distances;
  const bool widens = !is_floating(weights) && describe(weights).size < 8;
  refuse_option("--distances",
                fmt::format("{} with {} values", describe(asked.value_or(weights)).name,
                            describe(weights).name),
                fmt::format("{}{}", describe(weights).name, widens ? " or int64" : ""));
}

std::string report_limit(double limit, report& r) {
  if (limit == std::numeric_limits<double>::infinity()) return {};
  r.extra["limit"] = limit;
  return " within " + grouped(limit);
}

std::size_t line_of_weight(const program& p, const std::string& file, const unusable_weight& edge) {
  if (!can_be_read_again(file)) return 0;
  try {
    const io::coordinates all = read_entries(p, file, true);
    return with_builtin_type(all.type, [&]<class T>() -> std::size_t {
      const auto* values = reinterpret_cast<const T*>(all.values.data());
      for (std::size_t e = 0; e < all.row.size() && !all.pattern; ++e)
        if (all.row[e] == edge.from && all.column[e] == edge.to &&
            std::to_string(values[e]) == edge.weight)
          return line_of(p, file, all, e);
      return 0;
    });
  } catch (const error&) {  // what is reported is the edge
    return 0;
  }
}

void add_sssp(CLI::App& app, program& p) {
  auto o = std::make_shared<sssp_arguments>();
  command cmd(app, p, "sssp", "single-source shortest paths over the edges' weights",
              {.device = true, .reading = true, .type = true},
              {"tropic sssp roads.gr --source 1 --output distances.txt",
               "tropic sssp kron:14 --verify --trials 3",
               "tropic sssp graph.mtx --type fp32 --delta 0.5 --output-parents parents.txt",
               "tropic sssp roads.gr --distances int32 --verify",
               "tropic sssp roads.gr --source 1 --limit 5000 --output near.txt",
               "tropic sssp graph.mtx --pairs pairs.txt --output distances.txt --verify"});
  cmd.argument("FILE", o->file, file_help);
  cmd.word("--source", "V", source_help, [o](const std::string& text) { o->source = text; });
  cmd.text(
      "--pairs", "FILE", o->pairs,
      "distances of the pairs in FILE, one `from to` per line, instead of those from a source");
  cmd.text("--output", "FILE", o->distances,
           "write `vertex distance` lines (with --pairs `from to distance`), inf if unreachable");
  cmd.number<double>("--limit", o->limit,
                     "largest distance: searches stop there, farther vertices count as unreachable",
                     0);
  cmd.text("--output-parents", "FILE", o->parents,
           "write `vertex parent` lines, -1 where unreachable");
  cmd.word("--distances", "TYPE", distances_help,
           [o](const std::string& name) { o->type = type_named(name, "--distances"); });
  cmd.flag("--allow-saturation", o->allow_saturation,
           "let --verify accept distances clamped to the range of their type");
  cmd.number<double>("--delta", o->delta, "width of a bucket; 0: chosen from the weights", 0);
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check that no edge shortens a path");
  cmd.excludes("--pairs", "--source");
  cmd.excludes("--pairs", "--output-parents");
  cmd.runs([&p, o] {
    settle_types(p, o->type);
    if (o->pairs.empty()) return run_sssp(p, *o);
    return run_sssp_pairs(p, {o->file, o->pairs, o->distances, o->type, o->allow_saturation,
                              o->delta, o->limit, o->permute, o->trial});
  });
}

}  // namespace tropic::cli
