// SPDX-License-Identifier: Apache-2.0

// `tropic bench permute`: what permutations do to the speed of a product, by the method of Jain et
// al. ("Entropy maximization in sparse matrix by vector multiplication", 2021, section 6): each
// kind is drawn and timed again and again, and the least, the mean and the largest GFlop/s are told
// (2 entries / seconds, fp64) beside the entropy that it led to. Timed are plain loops over
// coordinates and CSR, whole and split over threads by equal rows, and kernels of the device.

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cli/bench/permutation_bench.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file;
  int repeats = 32;
  std::uint64_t seed = 1;
};

// The least, mean and largest of some numbers.
struct range {
  double least = 0, mean = 0, most = 0;

  explicit range(const std::vector<double>& of) {
    if (of.empty()) return;
    least = *std::ranges::min_element(of);
    most = *std::ranges::max_element(of);
    mean = std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
  }
  nlohmann::ordered_json json() const { return {{"min", least}, {"mean", mean}, {"max", most}}; }
};

void add_to_report(const permutation_bench& b, const options& o, int threads, report& r) {
  r.more["threads"] = threads;
  r.more["repeats"] = o.repeats;
  r.more["seed"] = o.seed;
  std::vector<std::vector<std::string>> speed{{"GFlop/s"}},
      measures{{"bits, permuting", "rows", "columns", "blocks", "distance", "p", "imbalance",
                "seconds"}};
  for (const std::string& name : b.names()) speed[0].push_back(name);
  for (const kind_record& k : b.records()) {
    nlohmann::ordered_json object{{"kind", name_of(k.kind)}};
    speed.push_back({std::string(name_of(k.kind))});
    for (std::size_t e = 0; e < b.names().size(); ++e) {
      const range found(k.gflops[e]);
      object["gflops"][b.names()[e]] = found.json();
      speed.back().push_back(
          fmt::format("{:.3f} {:.3f} {:.3f}", found.least, found.mean, found.most));
    }
    const range rows(k.rows), columns(k.columns), blocks(k.blocks), imbalance(k.imbalance);
    object["entropy"] = {
        {"rows", rows.json()}, {"columns", columns.json()}, {"blocks", blocks.json()}};
    object["distance"] = k.change.statistic;
    object["p_value"] = k.change.p_value;
    object["imbalance"] = imbalance.json();
    object["seconds"] = range(k.seconds).json();
    r.more["kinds"].push_back(object);
    measures.push_back({std::string(name_of(k.kind)), fmt::format("{:.3f}", rows.mean),
                        fmt::format("{:.3f}", columns.mean), fmt::format("{:.3f}", blocks.mean),
                        fmt::format("{:.3f}", k.change.statistic),
                        fmt::format("{:.3f}", k.change.p_value),
                        fmt::format("{:.2f}", imbalance.mean), duration(range(k.seconds).mean)});
  }
  r.text += fmt::format(
      "permute  {} times each from seed {}; min, mean, max; split: equal rows over {} thread{}\n\n",
      o.repeats, o.seed, threads, threads == 1 ? "" : "s");
  r.text += table(speed) + "\n" + table(measures) + "\n";
  r.check("same_products", b.complaint());
}

load_options real_matrix(const std::string& file) {
  load_options wanted;
  wanted.file = file;
  wanted.graph = false;
  wanted.weighted = true;
  wanted.rule = duplicates::sum;
  wanted.type = [](type_code) { return type_code::fp64; };
  return wanted;
}

exit_code run(const program& p, const options& o) {
  const context where = p.make_context();
  const loaded input = load(p, where, real_matrix(o.file));
  p.speak();
  const matrix<double> a(input.matrix);
  report r;
  r.command = "bench permute";
  r.device = where.name();
  r.set_matrix(input.matrix);
  r.seconds.load = input.seconds;
  r.text = headline(o.file, r, where);
  permutation_bench b(where, a, o.seed);
  for (int n = 0; n < o.repeats; ++n) b.repeat();
  for (const kind_record& k : b.records())
    if (k.kind != permutation_kind::none)
      r.seconds.convert += std::accumulate(k.seconds.begin(), k.seconds.end(), 0.0);
  add_to_report(b, o, where.threads(), r);
  return finish(p, r);
}

}  // namespace

void add_bench_permute(CLI::App& bench, program& p) {
  auto o = std::make_shared<options>();
  command made(bench, p, "permute",
               "speed and entropy of a product under every kind of permutation",
               {.device = true, .reading = true},
               {"tropic bench permute matrix.mtx --threads 8",
                "tropic bench permute kron:16 --device cuda --repeat 8 --json"});
  made.argument("FILE", o->file, file_help);
  made.number<int>("--repeat", o->repeats, "draw and time each kind N times [32]", 1);
  made.number<std::uint64_t>("--seed", o->seed, "random orders are drawn by N, N + 1 ... [1]", 0);
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
