// SPDX-License-Identifier: Apache-2.0

// `tropic sssp`: distances and parents from a source. Distances are int64 for files of integers
// and for files without values, where an edge weighs 1; fp64 for real ones. --type names the type
// of the values, and with it that of the distances, unless it is an integer of less than 64 bits:
// then distances are int64 still, as in C++ and C. --distances asks for another type.

#include "cli/commands/sssp_run.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, distances, parents;
  std::optional<type_code> type;  // of distances
  bool allow_saturation = false;
  std::optional<std::string> source;
  double delta = 0;
  permute_options permute;
  trial_options trial;
};

std::string saturation_line(const sssp_outcome& found, std::string_view type) {
  const bool one = found.saturated == 1;
  return fmt::format(
      "SATURATED: {} distance{} {} not exact; {} distances go {} ({})\n", grouped(found.saturated),
      one ? "" : "s", one ? "is" : "are", type, found.distance_range,
      type == "int64" || type == "uint64" || type == "fp32" ? "--type fp64" : "--distances int64");
}

exit_code run(const program& p, const options& o) {
  check_source(p, o.source);
  check_outputs(p, {o.distances, o.parents}, {o.file});
  const context where = p.make_context();
  loaded graph = load(p, where, sssp_input(o.file));
  sssp_request request;
  request.source = source_of(graph, o.source, o.file);
  request.delta = o.delta;
  request.parents = !o.parents.empty();
  request.allow_saturation = o.allow_saturation;
  // An edge is relaxed a few times.
  const std::size_t bytes = graph.matrix.type->size;
  request.permute =
      chosen(o.permute, graph.matrix, {.a_bytes = bytes, .x_bytes = bytes, .z_bytes = bytes}, 3);
  request.trial = o.trial;

  report r = start_report(p, "sssp", where, graph);
  const detail::matrix_base& weights = graph.matrix;
  std::string_view type;
  const sssp_outcome found = naming_vertices(p, o.file, graph.vertices, [&] {
    return with_distance_types<sssp_outcome>(weights.type->code, o.type, [&]<class D, class T>() {
      type = describe<D>().name;
      return run_sssp<D, T>(p, weights, request);
    });
  });
  r.seconds.run = found.seconds;
  r.seconds.convert += found.convert;
  r.seconds.transfer += found.transfer;
  r.iterations = found.steps;
  fmt::memory_buffer exact;
  found.append_distance(exact, static_cast<std::size_t>(found.farthest));
  r.extra["source"] = graph.vertices.json(request.source);
  r.extra["type"] = type;
  r.extra["delta"] = found.delta;
  r.extra["reached"] = found.reached;
  r.extra["saturated"] = found.saturated;
  r.extra["farthest"] = {
      {"vertex", graph.vertices.json(found.farthest)},
      {"distance",
       nlohmann::ordered_json::parse(std::string(exact.data(), exact.size()), nullptr, false)}};

  r.text = headline(o.file, r, where);
  r.text += fmt::format("sssp     from vertex {} reaches {} of {} vertices; farthest is {} at {}\n",
                        graph.vertices.label(request.source), grouped(found.reached),
                        grouped(r.rows), graph.vertices.label(found.farthest),
                        is_floating(weights.type->code)
                            ? grouped(found.farthest_distance)
                            : grouped(std::string(exact.data(), exact.size())));
  r.text += found.delta > 0
                ? fmt::format("steps    {}, delta {}, {} distances\n", grouped(found.steps),
                              grouped(found.delta), type)
                : fmt::format("steps    {}, Bellman-Ford (negative weights), {} distances\n",
                              grouped(found.steps), type);
  if (found.saturated > 0) r.text += saturation_line(found, type);
  report_permutation(request.permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify) add_checks(r, o.trial, "shortest_paths", found.complaint, found.alike);
  const written outputs = write_outputs(
      p, graph.vertices,
      {{o.distances, found.append_distance},
       {o.parents, [&](auto& to, std::size_t v) { graph.vertices.append(to, found.parents[v]); }}});
  return finish(p, r, outputs);
}

}  // namespace

void settle_types(program& p, std::optional<type_code> distances) {
  const bool by_type = p.common.type == type_code::boolean;
  if (by_type || distances == type_code::boolean)
    refuse_option(by_type ? "--type" : "--distances", "'bool'", "a type that can hold distances");
  if (!distances) return;
  if (!p.common.type) p.common.type = distances;
  with_distance_types<bool>(*p.common.type, distances, []<class, class>() { return true; });
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
  auto o = std::make_shared<options>();
  command cmd(app, p, "sssp", "single-source shortest paths over the edges' weights",
              {.device = true, .reading = true, .type = true},
              {"tropic sssp roads.gr --source 1 --output distances.txt",
               "tropic sssp kron:14 --verify --trials 3",
               "tropic sssp graph.mtx --type fp32 --delta 0.5 --output-parents parents.txt",
               "tropic sssp roads.gr --distances int32 --verify"});
  cmd.argument("FILE", o->file, file_help);
  cmd.word("--source", "V", source_help, [o](const std::string& text) { o->source = text; });
  cmd.text("--output", "FILE", o->distances,
           "write `vertex distance` lines, inf where unreachable");
  cmd.text("--output-parents", "FILE", o->parents,
           "write `vertex parent` lines, -1 where unreachable");
  cmd.word("--distances", "TYPE", distances_help,
           [o](const std::string& name) { o->type = type_named(name, "--distances"); });
  cmd.flag("--allow-saturation", o->allow_saturation,
           "let --verify accept distances clamped to the range of their type");
  cmd.number<double>("--delta", o->delta, "width of a bucket; 0: chosen from the weights", 0);
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check that no edge shortens a path");
  cmd.runs([&p, o] {
    settle_types(p, o->type);
    return run(p, *o);
  });
}

}  // namespace tropic::cli
