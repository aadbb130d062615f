// SPDX-License-Identifier: Apache-2.0

// The trials of the algorithms of `tropic bench`, and their report.

#include "cli/bench/gap.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include <tropic/error.hpp>

#include "cli/commands/trials.hpp"
#include "cli/input/vertex_lines.hpp"
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

// Draws vertices with outgoing edges, all equally likely, anew for each trial. The standard
// specifies the random numbers, so the sources are the same on every device and machine.
class source_picker {
 public:
  source_picker(const loaded& graph, const graph_bench_options& o, int count)
      : random_(o.seed), count_(static_cast<std::size_t>(count)) {
    const std::vector<std::uint32_t> degrees = out_degrees(graph.matrix);
    for (std::size_t v = 0; v < degrees.size(); ++v)
      if (degrees[v] > 0) candidates_.push_back(static_cast<std::uint32_t>(v));
    if (candidates_.empty())
      throw input_error(o.file, 0, "a graph without edges", "a vertex with an edge to start from");
    if (candidates_.size() < count_)
      throw input_error(o.file, 0, fmt::format("{} vertices with edges", candidates_.size()),
                        fmt::format("{} or more to start from", count_));
  }
  // Different ones.
  std::vector<index_t> next() {
    std::vector<index_t> drawn;
    while (drawn.size() < count_) {
      const index_t v = candidates_[random_() % candidates_.size()];
      if (std::ranges::find(drawn, v) == drawn.end()) drawn.push_back(v);
    }
    return drawn;
  }

 private:
  std::vector<std::uint32_t> candidates_;
  std::mt19937_64 random_;
  std::size_t count_;
};

// The sources of one trial after the other: those listed in the file of --from, or drawn.
struct trial_sources {
  std::size_t trials = 0;
  std::function<std::vector<index_t>()> next;
};

trial_sources sources_of_trials(const program& p, const context& where, const loaded& graph,
                                const graph_bench_options& o, int count) {
  const auto trials = static_cast<std::size_t>(o.trials);
  if (count == 0) return {trials, [] { return std::vector<index_t>(); }};
  if (o.from.empty())
    return {trials, [picker = source_picker(graph, o, count)]() mutable { return picker.next(); }};
  const std::vector<index_t> listed = read_vertex_list(p, where, o.from, graph.vertices);
  const auto step = static_cast<std::size_t>(count);
  if (listed.size() % step != 0)
    throw input_error(o.from, 0, fmt::format("{} vertices", listed.size()),
                      fmt::format("{} for each trial", count));
  return {listed.size() / step, [listed, step, at = std::size_t{0}]() mutable {
            const auto first = listed.begin() + static_cast<std::ptrdiff_t>(at);
            at += step;
            return std::vector<index_t>(first, first + static_cast<std::ptrdiff_t>(step));
          }};
}

// One trial, timed.
struct trial {
  std::vector<index_t> sources;
  double seconds = 0;
  index_t iterations = 0;
  double edges = 0;
  double teps() const { return edges / seconds; }
};

// All trials, and the device traffic during their runs.
struct measured {
  std::vector<trial> trials;
  device_traffic traffic;
  std::string complaint;  // of the first trial that failed

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

// "from vertices 3, 7: "; nothing without sources.
std::string describe(const std::vector<index_t>& sources, const loaded& graph) {
  if (sources.empty()) return "";
  std::string text;
  for (const index_t v : sources) text += (text.empty() ? "" : ", ") + graph.vertices.label(v);
  return fmt::format("from {} {}: ", sources.size() == 1 ? "vertex" : "vertices", text);
}

measured measure(const program& p, const context& where, const loaded& graph,
                 const graph_bench_options& o, benched_algorithm& algorithm,
                 const std::vector<index_t>& first, const trial_sources& sources) {
  measured found;
  for (std::size_t n = 0; n < sources.trials; ++n) {
    trial t{.sources = n == 0 ? first : sources.next()};
    const device_traffic before = where.traffic();
    t.seconds = seconds_of(p, where, [&] { algorithm.run(t.sources); });
    add(found.traffic, before, where.traffic());
    const trial_facts facts = algorithm.look(t.sources, !o.no_verify);
    t.iterations = facts.iterations;
    t.edges = facts.edges;
    if (found.complaint.empty() && !facts.complaint.empty())
      found.complaint = describe(t.sources, graph) + facts.complaint;
    found.trials.push_back(std::move(t));
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
  r.extra["median_seconds"] = median(seconds);
  r.extra["minimum_seconds"] = *std::ranges::min_element(seconds);
  r.extra["maximum_seconds"] = *std::ranges::max_element(seconds);
  r.extra["harmonic_mean_teps"] = mean;
  for (const trial& t : found.trials) {
    nlohmann::ordered_json object;
    if (b.sources == 1) object["source"] = graph.vertices.json(t.sources.front());
    if (b.sources > 1)
      for (const index_t v : t.sources) object["sources"].push_back(graph.vertices.json(v));
    object["seconds"] = t.seconds;
    object["iterations"] = t.iterations;
    object["edges"] = t.edges;
    object["teps"] = t.teps();
    r.extra["trials"].push_back(object);
  }
  const auto number = [](double value) { return grouped(value); };
  const auto rate = [](double value) { return fmt::format("{:.4g}", value); };
  r.text += "\n" + table({{"", "minimum", "median", "maximum", "harmonic mean"},
                          row("time", seconds, duration),
                          row("iterations", found.all(&trial::iterations), number),
                          row("edges", found.all(&trial::edges), number),
                          row("TEPS", teps, rate, rate(mean))});
}

// The device traffic of the trials, per iteration.
void describe(const device_traffic& traffic, index_t iterations, report& r) {
  const double count = static_cast<double>(std::max<index_t>(iterations, 1));
  const double launches = static_cast<double>(traffic.launches) / count;
  const double bytes = static_cast<double>(traffic.to_device + traffic.to_host) / count;
  r.extra["traffic"] = {{"launches_per_iteration", launches},
                        {"bytes_copied_per_iteration", bytes},
                        {"memory_blocks", traffic.blocks}};
  r.text += fmt::format(
      "per iteration: {:.1f} launches, {:.1f} bytes copied; in all trials {} block{} of memory "
      "from "
      "the driver\n",
      launches, bytes, traffic.blocks, traffic.blocks == 1 ? "" : "s");
}

// --profile: one more trial, by operations, in a context of its own. Waiting for the device after
// each operation makes this trial slower than the timed ones; the shares are those of the work
// without the waiting.
void add_profile(const program& p, report& r, const context& where, const loaded& graph,
                 const graph_bench& b, std::span<const index_t> sources) {
  const context profiled = p.make_profiled_context(where);
  const detail::matrix_base copy = detail::copy_to(profiled.state(), graph.matrix);
  transfer(profiled, copy);
  const std::unique_ptr<benched_algorithm> algorithm = b.make(copy);
  algorithm->run(sources);  // compiles and converts
  algorithm->look(sources, false);
  profiled.forget_profile();
  const double whole = seconds_of(p, profiled, [&] { algorithm->run(sources); });

  std::vector<std::vector<std::string>> rows{
      {"operation", "calls", "launches", "copied", "seconds", "share"}};
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  double outside = whole, products = 0, rounds = 0;
  for (const operation_profile& o : profiled.profile()) {
    const double share = o.seconds / whole;
    outside -= o.seconds;
    if (o.operation == "vxm" || o.operation == "mxv") products += share;
    if (o.operation == "iterate_until") rounds += share;
    rows.push_back({o.operation, grouped(static_cast<index_t>(o.calls)),
                    grouped(static_cast<index_t>(o.launches)), size_text(o.bytes_copied),
                    duration(o.seconds), percent(share)});
    operations.push_back({{"operation", o.operation},
                          {"calls", o.calls},
                          {"launches", o.launches},
                          {"bytes_copied", o.bytes_copied},
                          {"seconds", o.seconds},
                          {"share", share}});
  }
  rows.push_back(
      {"outside of operations", "", "", "", duration(outside), percent(outside / whole)});
  r.extra["profile"] = {{"seconds", whole},
                        {"operations", operations},
                        {"outside", {{"seconds", outside}, {"share", outside / whole}}},
                        {"products_share", products},
                        {"rounds_share", rounds}};
  r.text += fmt::format("\nprofile of a trial, synchronised after each operation: {}\n{}",
                        duration(whole), table(rows));
  r.text += fmt::format("products take {} of the time", percent(products));
  if (rounds > 0) r.text += fmt::format(", rounds that run as one operation {}", percent(rounds));
  r.text += "\n";
}

}  // namespace

benched_algorithm::benched_algorithm(const detail::matrix_base& graph)
    : degrees_(out_degrees(graph)), symmetric_(graph.symmetric) {}

void add_graph_bench_options(command& to, graph_bench_options& target, int sources) {
  const std::string count = sources == 1 ? "--sources" : "--trials";
  if (sources == 1) {
    to.number<int>(count, target.trials, "a trial from each of N vertices [64]", 1);
  } else {
    target.trials = 16;
    to.number<int>(count, target.trials,
                   sources == 0 ? "run N times [16]"
                                : fmt::format("run N times, each from {} vertices [16]", sources),
                   1);
  }
  if (sources > 0) {
    to.number<std::uint64_t>("--seed", target.seed, "seed of the sources [1]", 0);
    to.text("--from", "FILE", target.from,
            "trials from the vertices listed in FILE, instead of random ones");
    to.excludes("--from", count);
    to.excludes("--from", "--seed");
  }
  to.flag("--no-verify", target.no_verify, "do not check the results");
  to.flag("--profile", target.profile, "one more trial, with the time of each operation");
}

exit_code run_graph_bench(const program& p, const context& where, const loaded& graph,
                          const graph_bench_options& o, const graph_bench& b) {
  const trial_sources sources = sources_of_trials(p, where, graph, o, b.sources);
  const std::vector<index_t> first = sources.next();
  report r = start_report(p, "bench " + b.name, where, graph);
  const std::unique_ptr<benched_algorithm> algorithm = b.make(graph.matrix);
  r.seconds.first_use = seconds_of(p, where, [&] { algorithm->run(first); });
  algorithm->look(first, false);
  const measured found = measure(p, where, graph, o, *algorithm, first, sources);
  r.seconds.run = found.all(&trial::seconds);
  r.iterations = found.iterations();
  r.extra["symmetric"] = graph.matrix.symmetric;
  if (b.sources > 0 && o.from.empty()) r.extra["seed"] = o.seed;
  r.extra["verified"] = !o.no_verify;

  r.text = headline(o.file, r, where);
  r.text += b.sources == 1 ? fmt::format("bench    {} from {} sources", b.name, sources.trials)
                           : fmt::format("bench    {}, {} times", b.name, sources.trials);
  if (b.sources > 1) r.text += fmt::format(", each from {} sources", b.sources);
  if (b.sources > 0)
    r.text += o.from.empty() ? fmt::format(" by seed {}", o.seed) : " listed in " + o.from;
  r.text += graph.matrix.symmetric ? "; symmetric: an edge counts once\n" : "\n";
  r.text += timing_line(r.seconds);
  algorithm->add_to(r);
  describe(found, graph, b, r);
  if (where.state()->device_memory)
    describe(found.traffic, found.iterations(), r);
  else
    r.extra["traffic"] = nullptr;
  if (!o.no_verify) r.check(b.check, found.complaint);
  if (o.profile) add_profile(p, r, where, graph, b, first);
  return finish(p, r);
}

}  // namespace tropic::cli
