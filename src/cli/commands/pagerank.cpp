// SPDX-License-Identifier: Apache-2.0

// `tropic pagerank`: the rank of every vertex, with or without weights, global or personalised.

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tropic/error.hpp>
#include <tropic/generators.hpp>

#include "algorithms/pagerank.hpp"
#include "cli/commands/permute.hpp"
#include "cli/commands/trials.hpp"
#include "cli/input/graph_input.hpp"
#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/top.hpp"
#include "io/input/source.hpp"
#include "io/memory.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {

struct pagerank_arguments {
  std::string file, ranks, preferences;
  pagerank_options pagerank;
  permute_options permute;
  trial_options trial;
};

constexpr std::string_view blank = " \t\r,";

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(blank));
  line.remove_prefix(word.size());
  return word;
}

// Takes a quoted name, as outputs contain it, off `line`; false if the quote is not closed on the
// line. `quoted` gets the text between the quotes, with '"' still written '""'.
bool take_quoted(std::string_view& line, std::string_view& quoted) {
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '"') continue;
    if (i + 1 < line.size() && line[i + 1] == '"') {
      ++i;
      continue;
    }
    quoted = line.substr(1, i - 1);
    line.remove_prefix(i + 1);
    return true;
  }
  return false;
}

std::string unescaped(std::string_view quoted) {
  std::string name;
  name.reserve(quoted.size());
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    name += quoted[i];
    i += quoted[i] == '"';  // skips the second one of '""'
  }
  return name;
}

template <class T>
bool parse(std::string_view word, T& value) {
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size();
}

// If vertices are names, '#' directly before other text may begin a name.
bool is_comment(std::string_view line, const vertex_names& vertices) {
  if (line.front() != '#' && line.front() != '%') return false;
  return !vertices.has_names() || line.size() == 1 || line[1] == line[0] ||
         blank.find(line[1]) != std::string_view::npos;
}

// Calls f(line, line number) for the lines that are neither blank nor comments; `line` begins with
// its first word.
template <class F>
void for_each_line(std::string_view text, const vertex_names& vertices, F&& f) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    if (!line.empty() && !is_comment(line, vertices)) f(line, number);
  }
}

struct weighted_vertex {
  index_t position;
  double weight;
};

weighted_vertex take_preference(std::string_view line, const std::string& file, std::size_t number,
                                const vertex_names& vertices, const io::detail::memory_room& room) {
  const auto refuse = [&](std::string_view found, const std::string& expected) {
    throw input_error(file, number, io::detail::quote(found), expected);
  };
  std::string_view name;
  std::string copy;
  if (vertices.has_names() && line.front() == '"') {
    if (!take_quoted(line, name)) refuse(line, "a closing quote on this line");
    if (name.find('"') != std::string_view::npos) {
      room.require(name.size(), file + ": reading a name");
      name = copy = unescaped(name);
    }
  } else {
    name = take_word(line);
    index_t ignored = 0;
    if (!vertices.has_names() && !parse(name, ignored)) refuse(name, "a vertex");
  }
  const std::optional<index_t> position = vertices.position(name);
  if (!position) refuse(name, "a vertex of the graph, which has " + vertices.range());
  double weight = 1;
  const std::string_view second = take_word(line);
  if (!second.empty() && !(parse(second, weight) && weight >= 0 && std::isfinite(weight)))
    refuse(second, "a weight, finite and not negative");
  if (const std::string_view third = take_word(line); !third.empty())
    refuse(third, "the end of the line");
  return {*position, weight};
}

// Before any work: throws usage_error if FILE of --personalize is standard input or a pipe that the
// graph is read from.
void check_preferences(const std::string& file, const std::string& graph) {
  if (file.empty() || is_generator_spec(graph)) return;
  // std::filesystem::equivalent of libstdc++ fails for two pipes.
  struct stat one {};
  struct stat other {};
  if (::stat(path_of(file).c_str(), &one) != 0 || ::stat(path_of(graph).c_str(), &other) != 0 ||
      one.st_dev != other.st_dev || one.st_ino != other.st_ino)
    return;
  // A regular file can be opened twice, unless it is standard input.
  const bool is_standard_input = file == "-" || graph == "-";
  if (S_ISREG(one.st_mode) && !is_standard_input) return;
  refuse_option(
      "--personalize",
      file == "-" ? "standard input, which FILE is read from" : file + ", which FILE is read from",
      "another file or pipe");
}

// --personalize FILE: a line `vertex [weight]` per vertex; the default weight is 1. Skips blank
// lines and lines that begin with # or %. The file is opened like every other input: it may be
// compressed or a pipe, its bytes count against the memory limit, and Ctrl+C ends the wait for
// them. Throws input_error with the line; out_of_memory; cancelled.
vector<double> read_preferences(const program& p, const context& where, const std::string& file,
                                const vertex_names& vertices) {
  load_progress progress(p, "loading " + file);
  io::read_options options = reading(p);
  options.name = file;
  options.format.reset();  // --format is about the graph
  options.memory_used = where.memory_used();
  options.progress = progress.function();
  const io::detail::source source = io::detail::open_source(path_of(file), options);
  const std::string_view text = io::detail::without_mark(source.text, file);
  std::size_t count = 0;
  for_each_line(text, vertices, [&](std::string_view, std::size_t) { ++count; });
  p.check_cancelled();
  const io::detail::memory_room room = io::detail::memory_room(options).beside(source.memory);
  // The entries, and the memory to sort them by position.
  const std::size_t bytes = io::detail::bytes_for(count, 3 * sizeof(weighted_vertex));
  room.require(bytes, file + ": reading the preferences");
  std::vector<index_t> positions;
  std::vector<double> weights;
  positions.reserve(count);
  weights.reserve(count);
  double sum = 0;
  for_each_line(text, vertices, [&](std::string_view line, std::size_t number) {
    const weighted_vertex found = take_preference(line, file, number, vertices, room.beside(bytes));
    positions.push_back(found.position);
    weights.push_back(found.weight);
    sum += found.weight;
  });
  if (!(sum > 0) || !std::isfinite(sum))
    throw input_error(file, 0, "weights with the sum " + std::to_string(sum),
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

exit_code run_pagerank(const program& p, const pagerank_arguments& o) {
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
  auto o = std::make_shared<pagerank_arguments>();
  command cmd(app, p, "pagerank", "PageRank: the stationary distribution of a random walk",
              {.device = true, .reading = true, .type = true},
              {"tropic pagerank graph.mtx --tolerance 1e-9 --output ranks.txt",
               "tropic pagerank kron:14 --iterations 20 --trials 3 --verify",
               "tropic pagerank graph.mtx --weighted --personalize seeds.txt"});
  cmd.argument("FILE", o->file, file_help);
  cmd.text("--output", "FILE", o->ranks, "write `vertex rank` lines");
  cmd.number<double>("--damping", o->pagerank.damping, "probability of following an edge [0.85]", 0,
                     1);
  cmd.number<double>("--tolerance", o->pagerank.tolerance,
                     "stop when the ranks change by less than X in sum [1e-6]", 0);
  cmd.number<index_t>("--max-iterations", o->pagerank.max_iterations,
                      "stop after N iterations [100]", 0);
  cmd.number<index_t>("--iterations", o->pagerank.iterations,
                      "run exactly N iterations from uniform ranks", 0);
  cmd.excludes("--iterations", "--tolerance");
  cmd.excludes("--iterations", "--max-iterations");
  cmd.flag("--weighted", o->pagerank.weighted, "follow edges in proportion to weights");
  cmd.flag("--lose-dangling", o->pagerank.lose_dangling,
           "leave the rank of vertices without outgoing edges out");
  cmd.flag("--single", o->pagerank.single, "compute with ranks of fp32");
  cmd.text("--personalize", "FILE", o->preferences,
           "restart only at the vertices of FILE, `vertex [weight]` lines");
  add_permute_options(cmd, o->permute);
  add_trial_options(cmd, o->trial, "check by a serial iteration (personalised: by the reference)");
  cmd.runs([&p, o] { return run_pagerank(p, *o); });
}

}  // namespace tropic::cli
