// SPDX-License-Identifier: Apache-2.0

// `tropic bench tune`: kernels of a device over a grid of the two constants that affect them most,
// with defaults for the others. Prints a table for each kernel, and its best entry beside the
// default. The built-in constants of an architecture are chosen from these tables.

#include <algorithm>
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
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"

namespace tropic::cli {

namespace {

struct tune_arguments {
  std::string file, kernel = "all";
  semiring_options semiring;
  bool verify = false;
  int rounds = 5;
};

// The constants of a kernel that vary: one by row of its table, the other by column.
struct grid {
  const char *kernel, *down, *across;
  std::vector<int> downs, acrosses;
  const char* rest = "";  // fixed constants

  std::string name(int d, int a) const {
    return fmt::format("{}:{}={},{}={}{}", kernel, down, d, across, a, rest);
  }
};

// With shuffles in hardware a group has several subgroups; otherwise it is one subgroup of any
// size.
std::vector<grid> all_grids(const detail::backend& executor) {
  bool has_sizes = true;
  try {
    executor.find_kernel("csr_vector:subgroup=8");
  } catch (const usage_error&) {
    has_sizes = false;
  }
  const char* group = has_sizes ? "subgroup" : "subgroups";
  const auto of_group = [&](std::vector<int> subgroups) {
    return has_sizes ? std::vector<int>{8, 16, 32, 64} : std::move(subgroups);
  };
  return {
      {"csr_vector", "width", group, {2, 4, 8, 16, 32}, of_group({2, 4, 8})},
      {"csr_segmented", "items", "tiles", {3, 4, 5, 6, 7, 8, 10, 12}, {1, 2, 3, 4, 6, 8}},
      {"cmrs", "height", group, {1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16}, of_group({1, 2, 4, 8})},
      {"cmrs_padded", "height", "slots", {2, 4, 8, 12, 16}, {1, 2, 4, 8, 16, 32}, ",overhead=1024"},
  };
}

// A kernel with its constants, and the time of a product.
struct contestant {
  std::string kernel;
  double seconds = 0;
  std::string refusal{};  // the reason why it cannot run
};

class tuner {
 public:
  tuner(const context& where, const product_input& input, int rounds)
      : where_(where), input_(input), rounds_(rounds) {
    w_ = detail::empty_vector(where.state(), input.semiring.z(), input.matrix.rows);
  }

  // In turns, round by round, so that a change of the device's speed affects all of them.
  void measure(std::vector<contestant>& all, const spmv_check* check, report& r) {
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
        calls[n] = std::clamp(static_cast<int>(minimum_seconds / std::max(once, 1e-7)), 1, 200);
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

  // Releases all conversions, so that a sweep over formats does not keep them.
  void release_formats() const { detail::evict_derived(*where_.state()); }

 private:
  static constexpr double minimum_seconds = 2e-3;

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

// The table of a grid, whose contestants are in row order, followed by the default.
void describe(const grid& g, const std::vector<contestant>& all, report& r) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0].push_back(g.down);
  for (const int across : g.acrosses) rows[0].push_back(fmt::format("{}={}", g.across, across));
  nlohmann::ordered_json measured = nlohmann::ordered_json::array();
  const contestant *best = nullptr, &by_default = all.back();
  for (std::size_t n = 0; n + 1 < all.size(); ++n) {
    const contestant& e = all[n];
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
    r.text += fmt::format("no choice of constants runs: {}\n", all.front().refusal);
  } else if (by_default.refusal.empty()) {
    r.text += fmt::format("best {}: {}, {:.2f} times as fast as by default ({})\n", best->kernel,
                          duration(best->seconds), by_default.seconds / best->seconds,
                          duration(by_default.seconds));
    object["default_seconds"] = by_default.seconds;
  } else {
    r.text += fmt::format("best {}: {}; the kernel does not run with its default constants: {}\n",
                          best->kernel, duration(best->seconds), by_default.refusal);
  }
  if (best != nullptr) object["best"] = {{"kernel", best->kernel}, {"seconds", best->seconds}};
  r.extra["kernels"].push_back(object);
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

exit_code run_tune(const program& p, const tune_arguments& o) {
  o.semiring.check(p);
  const context where = p.make_context();
  const std::vector<grid> grids = chosen_grids(where, o.kernel);
  const product_input input = load_product(p, where, o.file, o.semiring);
  p.print_notices();
  report r = begin_report("bench tune", where, input, o.semiring);
  r.extra["kernels"] = nlohmann::ordered_json::array();
  r.text = headline(o.file, r, where) +
           fmt::format("{} over {}, times of a product by the constants of the kernel\n",
                       o.semiring.name(), input.matrix.type->name);
  std::optional<spmv_check> check;
  if (o.verify) check.emplace(p, input.semiring, input.matrix, input.x);
  tuner t(where, input, o.rounds);
  for (const grid& g : grids) {
    std::vector<contestant> all;
    for (const int down : g.downs)
      for (const int across : g.acrosses) all.push_back({.kernel = g.name(down, across)});
    all.push_back({.kernel = g.kernel});
    t.measure(all, check ? &*check : nullptr, r);
    t.release_formats();
    describe(g, all, r);
  }
  if (o.verify && r.all_passed()) r.check("all_agree_with_reference", "");
  r.text +=
      "\nThe built-in constants of strips, by architecture:\n\n" + detail::strip_constants_table();
  return finish(p, r);
}

}  // namespace

void add_bench_tune(CLI::App& bench, program& p) {
  auto o = std::make_shared<tune_arguments>();
  command cmd(
      bench, p, "tune",
      "kernels of a device with various constants: a table for each kernel, and the best entry",
      {.device = true, .reading = true, .type = true, .compiler = true},
      {"tropic bench tune graph.mtx --device cuda --type fp64",
       "tropic bench tune kron:14 --device opencl --kernel cmrs --semiring min_plus"});
  cmd.argument("FILE", o->file, file_help);
  o->semiring.add_to(cmd);
  cmd.text("--kernel", "NAME", o->kernel, "only this kernel [all]");
  cmd.flag("--verify", o->verify, "check every product against the reference backend");
  cmd.number<int>("--rounds", o->rounds, "time each choice of constants N times, in turns [5]", 1);
  cmd.runs([&p, o] { return run_tune(p, *o); });
}

}  // namespace tropic::cli
