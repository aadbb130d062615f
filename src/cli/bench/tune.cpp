// SPDX-License-Identifier: Apache-2.0

// `tropic bench tune`: every kernel of a device by the two constants that matter most to it, the
// others as they are by default: a table a kernel, and the best of it beside the default. What the
// constants of an architecture are read off.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "backends/device/formats/strip_constants.hpp"
#include "cli/bench/candidates.hpp"
#include "cli/commands/spmv_check.hpp"
#include "cli/input/product_input.hpp"
#include "cli/input/progress.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

struct options {
  std::string file, kernel = "all";
  semiring_options semiring;
  bool verify = false;
  int rounds = 5;
};

// A kernel's constants that vary, down and across its table.
struct grid {
  const char *kernel, *down, *across;
  std::vector<int> downs, acrosses;
  const char* rest = "";  // constants that stay

  std::string name(int d, int a) const {
    return fmt::format("{}:{}={},{}={}{}", kernel, down, d, across, a, rest);
  }
};

// A group has several subgroups where the hardware shuffles; elsewhere it is one, of any size.
std::vector<grid> all_grids(const detail::backend& executor) {
  bool sizes = true;
  try {
    executor.find_kernel("csr_vector:subgroup=8");
  } catch (const usage_error&) {
    sizes = false;
  }
  const char* group = sizes ? "subgroup" : "subgroups";
  const auto of_group = [&](std::vector<int> subgroups) {
    return sizes ? std::vector<int>{8, 16, 32, 64} : std::move(subgroups);
  };
  return {
      {"csr_vector", "width", group, {2, 4, 8, 16, 32}, of_group({2, 4, 8})},
      {"csr_segmented", "items", "tiles", {3, 4, 5, 6, 7, 8, 10, 12}, {1, 2, 3, 4, 6, 8}},
      {"cmrs", "height", group, {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16}, of_group({1, 2, 4, 8})},
      {"cmrs_padded", "height", "slots", {2, 4, 8, 12, 16}, {1, 2, 4, 8, 16, 32}, ",overhead=1024"},
  };
}

// A kernel with its constants, and what its product takes.
struct entrant {
  std::string kernel;
  double seconds = 0;
  std::string refusal{};  // why it cannot run, in a sentence
};

class tuner {
 public:
  tuner(const context& where, const product_input& input, int rounds)
      : where_(where), input_(input), rounds_(rounds) {
    w_ = detail::empty_vector(where.state(), input.semiring.z(), input.matrix.rows);
  }

  // One after the other, round after round, so that a device whose speed drifts drifts for all.
  void measure(std::vector<entrant>& all, const spmv_check* check, report& r) {
    std::vector<int> calls(all.size(), 1);
    std::vector<std::vector<double>> times(all.size());
    for (std::size_t n = 0; n < all.size(); ++n) {
      try {
        seconds_of(all[n].kernel, 1);  // compiles and converts
        if (check != nullptr) {
          const std::string complaint = (*check)(w_);
          if (!complaint.empty()) r.check(all[n].kernel + "_agrees_with_reference", complaint);
        }
        const double once = seconds_of(all[n].kernel, 1);
        calls[n] = std::clamp(static_cast<int>(least_seconds / std::max(once, 1e-7)), 1, 200);
      } catch (const usage_error& why) {
        all[n].refusal = why.what();
      }
    }
    for (int round = 0; round < rounds_; ++round)
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].refusal.empty())
          times[n].push_back(seconds_of(all[n].kernel, calls[n]) / calls[n]);
    for (std::size_t n = 0; n < all.size(); ++n)
      if (!times[n].empty()) all[n].seconds = median(times[n]);
  }

  // What `kernel` has converted is dropped, so that a sweep over formats does not keep them all.
  void forget() const { detail::evict_derived(*where_.state()); }

 private:
  static constexpr double least_seconds = 2e-3;

  double seconds_of(const std::string& kernel, int calls) {
    plan forced;
    forced.kernel = kernel;
    return seconds_of_products(where_, input_, input_.matrix, forced, w_, calls);
  }

  const context& where_;
  const product_input& input_;
  const int rounds_;
  detail::vector_base w_;
};

// The table of one grid, whose entrants stand row by row, the default last.
void describe(const grid& g, const std::vector<entrant>& all, report& r) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(g.down);
  for (const int across : g.acrosses) rows[0].push_back(fmt::format("{}={}", g.across, across));
  nlohmann::ordered_json measured = nlohmann::ordered_json::array();
  const entrant *best = nullptr, &by_default = all.back();
  for (std::size_t n = 0; n + 1 < all.size(); ++n) {
    const entrant& e = all[n];
    if (n % g.acrosses.size() == 0)
      rows.push_back({std::to_string(g.downs[n / g.acrosses.size()])});
    rows.back().push_back(e.refusal.empty() ? duration(e.seconds) : "-");
    if (e.refusal.empty())
      measured.push_back({{"kernel", e.kernel}, {"seconds", e.seconds}});
    else
      measured.push_back({{"kernel", e.kernel}, {"refused", e.refusal}});
    if (e.refusal.empty() && (best == nullptr || e.seconds < best->seconds)) best = &e;
  }
  r.text += fmt::format("\n{}\n{}", g.kernel, table(rows));
  nlohmann::ordered_json object{{"kernel", g.kernel}, {"measured", measured}};
  if (best == nullptr) {
    r.text += fmt::format("none runs: {}\n", all.front().refusal);
  } else if (by_default.refusal.empty()) {
    r.text += fmt::format("best {}: {}, {:.2f} times as fast as by default ({})\n", best->kernel,
                          duration(best->seconds), by_default.seconds / best->seconds,
                          duration(by_default.seconds));
    object["default_seconds"] = by_default.seconds;
  } else {
    r.text += fmt::format("best {}: {}; by default it does not run: {}\n", best->kernel,
                          duration(best->seconds), by_default.refusal);
  }
  if (best != nullptr) object["best"] = {{"kernel", best->kernel}, {"seconds", best->seconds}};
  r.more["kernels"].push_back(object);
}

std::vector<grid> chosen_grids(const context& where, const std::string& kernel) {
  const auto& executor = *where.state()->executor;
  std::vector<grid> chosen;
  std::string all = "all";
  for (const grid& g : all_grids(executor)) {
    if (executor.find_kernel(g.kernel) == nullptr) continue;
    all += std::string(", ") + g.kernel;
    if (kernel == "all" || kernel == g.kernel) chosen.push_back(g);
  }
  if (all == "all")
    refuse_option("--device", where.name(),
                  "a device whose kernels have constants to tune: cuda[:N] or opencl[:N]");
  if (chosen.empty()) refuse_option("--kernel", "'" + kernel + "'", "one of " + all);
  return chosen;
}

exit_code run(const program& p, const options& o) {
  o.semiring.check(p);
  const context where = p.make_context();
  const std::vector<grid> grids = chosen_grids(where, o.kernel);
  const product_input input = load_product(p, where, o.file, o.semiring);
  p.speak();
  report r = begin_report("bench tune", where, input, o.semiring);
  r.more["kernels"] = nlohmann::ordered_json::array();
  r.text = headline(o.file, r, where) +
           fmt::format("{} over {}, a product by the constants of its kernel\n", o.semiring.name(),
                       input.matrix.type->name);
  std::optional<spmv_check> check;
  if (o.verify) check.emplace(p, input.semiring, input.matrix, input.x);
  tuner t(where, input, o.rounds);
  for (const grid& g : grids) {
    std::vector<entrant> all;
    for (const int down : g.downs)
      for (const int across : g.acrosses) all.push_back({.kernel = g.name(down, across)});
    all.push_back({.kernel = g.kernel});
    t.measure(all, check ? &*check : nullptr, r);
    t.forget();
    describe(g, all, r);
  }
  if (o.verify && r.all_well()) r.check("all_agree_with_reference", "");
  r.text += "\nThe constants of strips that are built in, by architecture:\n\n" +
            detail::strip_constants_table();
  return finish(p, r);
}

}  // namespace

void add_bench_tune(CLI::App& bench, program& p) {
  auto o = std::make_shared<options>();
  command made(bench, p, "tune",
               "a device's kernels by their constants: a table each, and the best",
               {.device = true, .reading = true, .type = true},
               {"tropic bench tune graph.mtx --device cuda --type fp64",
                "tropic bench tune kron:14 --device opencl --kernel cmrs --semiring min_plus"});
  made.argument("FILE", o->file, file_help);
  o->semiring.add_to(made);
  made.text("--kernel", "NAME", o->kernel, "this kernel alone [all]");
  made.flag("--verify", o->verify, "check every product against the reference backend");
  made.number<int>("--rounds", o->rounds, "time each N times, in turns [5]", 1);
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
