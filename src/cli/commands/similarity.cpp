// SPDX-License-Identifier: Apache-2.0

// `tropic similarity`: how many neighbours vertices share, of given pairs or of all.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/similarity.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/vertex_lines.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"

namespace tropic::cli {

namespace {

struct similarity_arguments {
  std::string file, pairs, output, measure = "jaccard";
  similar_pairs_options of_all;
  trial_options trial;
};

similarity_measure measure_named(const std::string& name) {
  if (name == "jaccard") return similarity_measure::jaccard;
  if (name == "overlap") return similarity_measure::overlap;
  if (name == "cosine") return similarity_measure::cosine;
  refuse_option("--measure", "'" + name + "'", "jaccard, overlap or cosine");
}

struct similar_pair {
  index_t from, to;
  double value;
  bool operator==(const similar_pair&) const = default;
};

// The entries of a row; of a symmetric matrix those above the diagonal.
std::vector<similar_pair> pairs_of(const matrix<double>& value) {
  const auto coo = value.to_coo();
  std::vector<similar_pair> list;
  list.reserve(coo.values.size());
  for (std::size_t e = 0; e < coo.values.size(); ++e)
    if (!value.is_symmetric() || coo.rows[e] < coo.columns[e])
      list.push_back({coo.rows[e], coo.columns[e], coo.values[e]});
  return list;
}

// A table of the ten pairs with the largest values, ties in their order; the same in `json`.
std::string top_pairs(const vertex_names& vertices, const std::vector<similar_pair>& list,
                      nlohmann::ordered_json& json) {
  std::vector<std::size_t> order(list.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const std::size_t count = std::min<std::size_t>(10, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return std::tuple(-list[a].value, a) < std::tuple(-list[b].value, b);
                    });
  std::vector<std::vector<std::string>> rows{{"from", "to", "similarity"}};
  json = nlohmann::ordered_json::array();
  for (std::size_t n = 0; n < count; ++n) {
    const similar_pair& pair = list[order[n]];
    rows.push_back(
        {vertices.label(pair.from), vertices.label(pair.to), fmt::format("{:.6g}", pair.value)});
    json.push_back({{"from", vertices.json(pair.from)},
                    {"to", vertices.json(pair.to)},
                    {"similarity", pair.value}});
  }
  return table(rows);
}

struct similarity_outcome {
  std::vector<similar_pair> pairs;
  std::vector<double> seconds;
  std::optional<index_t> chunks;
  std::string complaint;
  bool alike = true;
};

similarity_outcome of_given(const program& p, const context& where, const similarity_arguments& o,
                            const loaded& graph, const vertex_pairs& pairs) {
  const similarity_measure measure = o.of_all.measure;
  auto found = run_trials(
      p, where, o.trial,
      [&] { return algorithms::similarity(graph.matrix, pairs.from, pairs.to, measure); },
      [](const vector<double>& result) { return result.dense(0); });
  similarity_outcome all{{}, std::move(found.seconds), {}, {}, found.alike};
  for (std::size_t k = 0; k < found.values.size(); ++k)
    all.pairs.push_back({pairs.from[k], pairs.to[k], found.values[k]});
  if (o.trial.verify)
    all.complaint =
        algorithms::verify_similarity(graph.matrix, pairs.from, pairs.to, measure, found.result);
  return all;
}

similarity_outcome of_all(const program& p, const context& where, const similarity_arguments& o,
                          const loaded& graph) {
  auto found = run_trials(
      p, where, o.trial, [&] { return algorithms::similar_pairs(graph.matrix, o.of_all); },
      [](const similar_pairs_result& result) { return pairs_of(result.value); });
  similarity_outcome all{
      std::move(found.values), std::move(found.seconds), found.result.chunks, {}, found.alike};
  if (o.trial.verify)
    all.complaint = algorithms::verify_similar_pairs(graph.matrix, o.of_all, found.result);
  return all;
}

std::string lines_of(const vertex_names& vertices, const std::vector<similar_pair>& pairs) {
  fmt::memory_buffer lines;
  for (const similar_pair& pair : pairs) {
    vertices.append(lines, pair.from);
    lines.push_back(' ');
    vertices.append(lines, pair.to);
    lines.push_back(' ');
    append(lines, pair.value);
    lines.push_back('\n');
  }
  return fmt::to_string(lines);
}

exit_code run_similarity(const program& p, const similarity_arguments& o) {
  check_vertex_file("--pairs", o.pairs, o.file);
  check_outputs(p, {o.output}, {o.file, o.pairs});
  const context where = p.make_context();
  const loaded graph = load(p, where, bfs_input(o.file));

  vertex_pairs pairs;
  if (!o.pairs.empty()) pairs = read_vertex_pairs(p, where, o.pairs, graph.vertices);

  report r = start_report(p, "similarity", where, graph);
  const similarity_outcome found =
      o.pairs.empty() ? of_all(p, where, o, graph) : of_given(p, where, o, graph, pairs);
  r.seconds.run = found.seconds;
  r.iterations = found.chunks;
  r.extra["measure"] = o.measure;
  r.extra["pairs"] = found.pairs.size();
  const std::string top = top_pairs(graph.vertices, found.pairs, r.extra["top"]);

  r.text = headline(o.file, r, where);
  r.text += fmt::format("found    {} of {} pair{}\n", o.measure,
                        grouped(static_cast<index_t>(found.pairs.size())),
                        found.pairs.size() == 1 ? "" : "s");
  r.text += timing_line(r.seconds) + top;
  if (o.trial.verify) add_checks(r, o.trial, "similarity", found.complaint, found.alike);
  if (o.output.empty()) return finish(p, r);
  return finish(p, r, write_text(p, o.output, lines_of(graph.vertices, found.pairs)));
}

}  // namespace

void add_similarity(CLI::App& app, program& p) {
  auto o = std::make_shared<similarity_arguments>();
  command cmd(app, p, "similarity", "similarity of vertices by the neighbours that they share",
              {.device = true, .reading = true, .type = true},
              {"tropic similarity graph.mtx --undirected --top 2 --output similar.txt",
               "tropic similarity kron:10 --measure cosine --threshold 0.5 --verify",
               "tropic similarity graph.mtx --pairs pairs.txt --json"});
  cmd.argument("FILE", o->file, file_help);
  cmd.word("--measure", "NAME", "jaccard, overlap or cosine [jaccard]",
           [o](const std::string& name) {
             o->of_all.measure = measure_named(name);
             o->measure = name;
           });
  cmd.text("--pairs", "FILE", o->pairs,
           "only the pairs in FILE, one `from to` per line [all pairs that share a neighbour]");
  cmd.number<double>("--threshold", o->of_all.threshold,
                     "only pairs with a similarity of X or more [0]", 0, 1);
  cmd.number<index_t>("--top", o->of_all.top,
                      "for every vertex only the N most similar vertices; 0: all [0]", 0);
  cmd.excludes("--pairs", "--threshold");
  cmd.excludes("--pairs", "--top");
  cmd.text("--output", "FILE", o->output,
           "write `from to similarity` lines, without --top each pair once");
  add_trial_options(cmd, o->trial, "check against a serial count of shared neighbours");
  cmd.runs([&p, o] { return run_similarity(p, *o); });
}

}  // namespace tropic::cli
