// SPDX-License-Identifier: Apache-2.0

// `tropic generate`: writes a synthetic graph to a file of any format.

#include <fmt/format.h>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

struct generate_arguments {
  std::string kind;
  std::vector<std::string> rest;  // SCALE [DEGREE] OUT
  std::optional<std::uint64_t> seed;
  matrix_output to;
  bool weights = false;
};

exit_code run_generate(const program& p, const generate_arguments& o) {
  const bool is_grid = o.kind == "grid";
  if (o.kind != "kron" && o.kind != "urand" && !is_grid)
    refuse_option("generate", "'" + o.kind + "'", "kron, urand or grid");
  const std::string form = is_grid ? "grid SIDE OUT" : o.kind + " SCALE [DEGREE] OUT";
  if (o.rest.size() < 2 || o.rest.size() > (is_grid ? 2U : 3U))
    refuse_option("generate", fmt::format("{} arguments after {}", o.rest.size(), o.kind), form);
  if (is_grid && o.seed) throw usage_error("--seed: applies to kron and urand, not to grid");
  const std::string& out = o.rest.back();
  generator_options options;
  options.weighted = o.weights;
  options.type = p.common.type.value_or(type_code::int64);
  known_content known;
  if (o.weights) known.values = options.type;
  o.to.check(p, out, {}, known);
  if (o.weights && (options.type == type_code::boolean || options.type == type_code::int8))
    refuse_option("--type", "'" + std::string(describe(options.type).name) + "'",
                  "one that holds weights up to 255");
  options.threads = p.common.threads;
  const auto start = clock::now();
  io::coordinates graph = [&] {
    load_progress progress(p, "generating");
    options.progress = progress.function();
    if (is_grid) return grid(number_of<index_t>("SIDE", o.rest[0], 0), options);
    const int scale = number_of<int>("SCALE", o.rest[0], 0);
    const index_t degree =
        o.rest.size() > 2 ? number_of<index_t>("DEGREE", o.rest[1], 0) : index_t{16};
    const std::uint64_t seed = o.seed.value_or(0);
    return o.kind == "kron" ? kron(scale, degree, seed, options)
                            : urand(scale, degree, seed, options);
  }();
  report r;
  r.seconds.run.push_back(seconds_since(start));
  p.check_cancelled();
  const auto writing = clock::now();
  const written output = o.to.write(p, out, graph);
  r.command = "generate";
  r.device = "cpu";
  r.rows = graph.rows;
  r.columns = graph.columns;
  r.nnz = graph.entries();
  r.extra["output"] = out;
  r.extra["write_seconds"] = seconds_since(writing);
  r.text = fmt::format("{}: {} vertices, {} entries; generated in {}, written in {}\n",
                       shown_output(out), grouped(r.rows), grouped(r.nnz),
                       duration(r.seconds.run.front()), duration(seconds_since(writing)));
  return finish(p, r, output);
}

}  // namespace

void add_generate(CLI::App& app, program& p) {
  auto o = std::make_shared<generate_arguments>();
  command cmd(app, p, "generate", "a synthetic graph, the same on every machine", {.type = true},
              {"tropic generate kron 12 kron12.mtx",
               "tropic generate urand 12 8 urand12.tropic --seed 7 --weights",
               "tropic generate grid 100 grid.gr.gz --weights",
               "tropic generate grid 3 - --to mtx --quiet"});
  cmd.argument("KIND", o->kind, "kron, urand or grid");
  cmd.argument("ARGUMENTS", o->rest,
               "SCALE [DEGREE] OUT: 2^SCALE vertices [DEGREE 16]; for a grid SIDE OUT; OUT may "
               "be '-'");
  o->to.add_to(cmd);
  cmd.number<std::uint64_t>("--seed", o->seed, "seed of the graph [0]");
  cmd.flag("--weights", o->weights, "weights 1 to 255");
  cmd.runs([&p, o] { return run_generate(p, *o); });
}

}  // namespace tropic::cli
