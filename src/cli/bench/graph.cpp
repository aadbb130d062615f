// SPDX-License-Identifier: Apache-2.0

// The trials of `tropic bench bfs`, `sssp` and `pagerank`, and what is told of them.

#include "cli/bench/graph.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <tropic/error.hpp>

#include "cli/bench/trials.hpp"
#include "containers/context_state.hpp"

namespace tropic::cli {

namespace {

std::vector<std::uint32_t> out_degrees(const detail::matrix_base& graph) {
  std::vector<std::uint32_t> degrees(static_cast<std::size_t>(graph.rows));
  for (index_t v = 0, from = 0; v < graph.rows; ++v) {
    const index_t to = detail::offset_at(graph, v + 1);
    degrees[static_cast<std::size_t>(v)] = static_cast<std::uint32_t>(to - from);
    from = to;
  }
  return degrees;
}

// Draws vertices that an edge leaves, each as likely as any other; one may come twice. The engine's
// numbers are laid down by the standard: every device and machine draws the same.
class source_picker {
 public:
  source_picker(const loaded& graph, const graph_bench_options& o) : random_(o.seed) {
    const std::vector<std::uint32_t> degrees = out_degrees(graph.matrix);
    for (std::size_t v = 0; v < degrees.size(); ++v)
      if (degrees[v] > 0) candidates_.push_back(static_cast<std::uint32_t>(v));
    if (candidates_.empty())
      throw input_error(o.file, 0, "a graph without edges", "a vertex with an edge to start from");
  }
  index_t next() { return candidates_[random_() % candidates_.size()]; }

 private:
  std::vector<std::uint32_t> candidates_;
  std::mt19937_64 random_;
};

// One trial, timed.
struct trial {
  index_t source = 0;
  double seconds = 0;
  index_t iterations = 0;
  double edges = 0;
  double teps() const { return edges / seconds; }
};

// All of them, and what went to and from the device in their time.
struct measured {
  std::vector<trial> trials;
  device_traffic traffic;
  std::string complaint;  // the first

  template <class Part>
  std::vector<double> all(Part part) const {
    std::vector<double> values;
    for (const trial& t : trials) values.push_back(static_cast<double>(std::invoke(part, t)));
    return values;
  }
  index_t iterations() const {
    return std::transform_reduce(trials.begin(), trials.end(), index_t{0}, std::plus<>{},
                                 [](const trial& t) { return t.iterations; });
  }
};

void add(device_traffic& sum, const device_traffic& before, const device_traffic& after) {
  sum.to_device += after.to_device - before.to_device;
  sum.to_host += after.to_host - before.to_host;
  sum.launches += after.launches - before.launches;
  sum.blocks += after.blocks - before.blocks;
}

// `next` gives the sources.
template <class Next>
measured measure(const program& p, const context& where, const loaded& graph,
                 const graph_bench_options& o, benched_algorithm& algorithm, Next next) {
  measured found;
  for (int n = 0; n < o.trials; ++n) {
    trial t{.source = next()};
    const device_traffic before = where.traffic();
    t.seconds = seconds_of(p, where, [&] { algorithm.run(t.source); });
    add(found.traffic, before, where.traffic());
    const trial_facts facts = algorithm.look(t.source, !o.no_verify);
    t.iterations = facts.iterations;
    t.edges = facts.edges;
    if (found.complaint.empty() && !facts.complaint.empty())
      found.complaint =
          fmt::format("from vertex {}: {}", graph.vertices.label(t.source), facts.complaint);
    found.trials.push_back(t);
  }
  return found;
}

double harmonic_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += 1 / v;
  return static_cast<double>(values.size()) / sum;
}

std::vector<std::string> row(const std::string& name, const std::vector<double>& values,
                             const std::function<std::string(double)>& text,
                             const std::string& mean = "-") {
  return {name, text(*std::ranges::min_element(values)), text(median(values)),
          text(*std::ranges::max_element(values)), mean};
}

void describe(const measured& found, const loaded& graph, const graph_bench& b, report& r) {
  const std::vector<double> seconds = found.all(&trial::seconds), teps = found.all(&trial::teps);
  const double mean = harmonic_mean(teps);
  r.more["median_seconds"] = median(seconds);
  r.more["minimum_seconds"] = *std::ranges::min_element(seconds);
  r.more["maximum_seconds"] = *std::ranges::max_element(seconds);
  r.more["harmonic_mean_teps"] = mean;
  for (const trial& t : found.trials) {
    nlohmann::ordered_json object;
    if (b.sources) object["source"] = graph.vertices.json(t.source);
    object["seconds"] = t.seconds;
    object["iterations"] = t.iterations;
    object["edges"] = t.edges;
    object["teps"] = t.teps();
    r.more["trials"].push_back(object);
  }
  const auto number = [](double value) { return grouped(value); };
  const auto rate = [](double value) { return fmt::format("{:.4g}", value); };
  r.text += "\n" + table({{"", "minimum", "median", "maximum", "harmonic mean"},
                          row("time", seconds, duration),
                          row("iterations", found.all(&trial::iterations), number),
                          row("edges", found.all(&trial::edges), number),
                          row("TEPS", teps, rate, rate(mean))});
}

// What a device was asked for in the time of the trials.
void describe(const device_traffic& traffic, index_t iterations, report& r) {
  const double each = static_cast<double>(std::max<index_t>(iterations, 1));
  const double launches = static_cast<double>(traffic.launches) / each;
  const double bytes = static_cast<double>(traffic.to_device + traffic.to_host) / each;
  r.more["traffic"] = {{"launches_per_iteration", launches},
                       {"bytes_copied_per_iteration", bytes},
                       {"memory_blocks", traffic.blocks}};
  r.text += fmt::format(
      "an iteration: {:.1f} launches, {:.1f} bytes copied; in all trials {} block{} of memory from "
      "the driver\n",
      launches, bytes, traffic.blocks, traffic.blocks == 1 ? "" : "s");
}

}  // namespace

benched_algorithm::benched_algorithm(const detail::matrix_base& graph)
    : degrees_(out_degrees(graph)), symmetric_(graph.symmetric) {}

void add_graph_bench_options(command& to, graph_bench_options& target, bool sources) {
  if (sources) {
    to.number<int>("--sources", target.trials, "a trial from each of N vertices [64]", 1);
    to.number<std::uint64_t>("--seed", target.seed, "what the sources are drawn by [1]", 0);
  } else {
    target.trials = 16;
    to.number<int>("--trials", target.trials, "run N times [16]", 1);
  }
  to.flag("--no-verify", target.no_verify, "do not check the results");
  to.flag("--profile", target.profile, "one more trial, by operations");
}

exit_code run_graph_bench(const program& p, const context& where, const loaded& graph,
                          const graph_bench_options& o, const graph_bench& b) {
  std::optional<source_picker> sources;
  if (b.sources) sources.emplace(graph, o);
  const index_t first = sources ? source_picker(*sources).next() : 0;
  report r = start_report(p, "bench " + b.name, where, graph);
  const std::unique_ptr<benched_algorithm> algorithm = b.make(graph.matrix);
  r.seconds.first_use = seconds_of(p, where, [&] { algorithm->run(first); });
  algorithm->look(first, false);
  const measured found = measure(p, where, graph, o, *algorithm,
                                 [&] { return sources ? sources->next() : index_t{0}; });
  r.seconds.run = found.all(&trial::seconds);
  r.iterations = found.iterations();
  r.more["symmetric"] = graph.matrix.symmetric;
  if (b.sources) r.more["seed"] = o.seed;
  r.more["verified"] = !o.no_verify;

  r.text = headline(o.file, r, where);
  r.text += b.sources
                ? fmt::format("bench    {} from {} sources by seed {}", b.name, o.trials, o.seed)
                : fmt::format("bench    {}, {} times", b.name, o.trials);
  r.text += graph.matrix.symmetric ? "; symmetric: an edge counts once\n" : "\n";
  r.text += timing_line(r.seconds);
  algorithm->add_to(r);
  describe(found, graph, b, r);
  if (where.state()->device_memory)
    describe(found.traffic, found.iterations(), r);
  else
    r.more["traffic"] = nullptr;
  if (!o.no_verify) r.check(b.check, found.complaint);
  if (o.profile) add_profile(p, r, where, graph, b, first);
  return finish(p, r);
}

}  // namespace tropic::cli
