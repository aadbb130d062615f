// SPDX-License-Identifier: Apache-2.0

// `tropic sssp`: distances and parents from a source. Distances are int64 for files of integers
// and for files without values, where an edge weighs 1; fp64 for real ones; or what --type says.

#include "cli/graph_input.hpp"
#include "cli/output.hpp"
#include "cli/sssp_run.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, distances, parents;
  std::optional<std::string> source;
  double delta = 0;
  permute_options permute;
  trial_options trial;
};

sssp_outcome run_typed(const program& p, const detail::matrix_base& graph,
                       const sssp_request& request) {
  return with_distance_type<sssp_outcome>(
      graph.type->code, [&]<class T>() { return run_sssp<T>(p, graph, request); });
}

exit_code run(const program& p, const options& o) {
  refuse_bool_distances(p);
  check_source(p, o.source);
  check_outputs(p, {o.distances, o.parents}, {o.file});
  const context where = p.make_context();
  loaded graph = load(p, where, sssp_input(o.file));
  sssp_request request;
  request.source = source_of(graph, o.source, o.file);
  request.delta = o.delta;
  request.parents = !o.parents.empty();
  // An edge is relaxed a few times.
  const std::size_t bytes = graph.matrix.type->size;
  request.permute =
      chosen(o.permute, graph.matrix, {.a_bytes = bytes, .x_bytes = bytes, .z_bytes = bytes}, 3);
  request.trial = o.trial;

  report r = start_report(p, "sssp", where, graph);
  const sssp_outcome found = naming_negative_cycles(
      o.file, graph.vertices, [&] { return run_typed(p, graph.matrix, request); });
  r.seconds.run = found.seconds;
  r.seconds.convert += found.convert;
  r.seconds.transfer += found.transfer;
  r.iterations = found.steps;
  fmt::memory_buffer exact;
  found.append_distance(exact, static_cast<std::size_t>(found.farthest));
  r.more["source"] = graph.vertices.json(request.source);
  r.more["type"] = graph.matrix.type->name;
  r.more["delta"] = found.delta;
  r.more["reached"] = found.reached;
  r.more["farthest"] = {{"vertex", graph.vertices.json(found.farthest)},
                        {"distance", nlohmann::ordered_json::parse(
                                         std::string(exact.data(), exact.size()), nullptr, false)}};

  r.text = headline(o.file, r, where);
  r.text += fmt::format("sssp     from vertex {} reaches {} of {} vertices; farthest is {} at {}\n",
                        graph.vertices.label(request.source), grouped(found.reached),
                        grouped(r.rows), graph.vertices.label(found.farthest),
                        is_floating(graph.matrix.type->code)
                            ? grouped(found.farthest_distance)
                            : grouped(std::string(exact.data(), exact.size())));
  r.text += found.delta > 0
                ? fmt::format("steps    {}, delta {}, {} distances\n", grouped(found.steps),
                              grouped(found.delta), graph.matrix.type->name)
                : fmt::format("steps    {}, Bellman-Ford (negative weights), {} distances\n",
                              grouped(found.steps), graph.matrix.type->name);
  tell_permutation(request.permute, "ordered and permuted in the time to convert", r);
  r.text += timing_line(r.seconds);
  if (o.trial.verify) add_checks(r, o.trial, "shortest_paths", found.complaint, found.alike);
  write_outputs(
      p, graph.vertices,
      {{o.distances, found.append_distance},
       {o.parents, [&](auto& to, std::size_t v) { graph.vertices.append(to, found.parents[v]); }}});
  return finish(p, r, uses_standard_output({o.distances, o.parents}));
}

}  // namespace

void add_sssp(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command made(app, p, "sssp", "single-source shortest paths over the edges' weights",
               {.device = true, .reading = true, .type = true},
               {"tropic sssp roads.gr --source 1 --output distances.txt",
                "tropic sssp kron:14 --verify --trials 3",
                "tropic sssp graph.mtx --type fp32 --delta 0.5 --output-parents parents.txt"});
  made.argument("FILE", o->file, file_help);
  made.word("--source", "V", source_help, [o](const std::string& text) { o->source = text; });
  made.text("--output", "FILE", o->distances,
            "write `vertex distance` lines, inf where unreachable");
  made.text("--output-parents", "FILE", o->parents,
            "write `vertex parent` lines, -1 where unreachable");
  made.number<double>("--delta", o->delta, "width of a bucket; 0: chosen from the weights", 0);
  add_permute_options(made, o->permute);
  add_trial_options(made, o->trial, "check that no edge shortens a path");
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
