// SPDX-License-Identifier: Apache-2.0

// --profile of the benchmarks: where the time of a trial goes, by operations. Waiting for the
// device after each of them makes the trial slower than those that are timed, and its shares those
// of the work rather than of the waiting.

#include <fmt/format.h>

#include "cli/bench/graph.hpp"
#include "cli/bench/trials.hpp"

namespace tropic::cli {

void add_profile(const program& p, report& r, const context& where, const loaded& graph,
                 const graph_bench& b, index_t source) {
  const context noting = p.make_profiled_context(where);
  const detail::matrix_base copy = detail::copy_to(noting.state(), graph.matrix);
  transfer(noting, copy);
  const std::unique_ptr<benched_algorithm> algorithm = b.make(copy);
  algorithm->run(source);  // compiles and converts
  algorithm->look(source, false);
  noting.forget_profile();
  const double whole = seconds_of(p, noting, [&] { algorithm->run(source); });

  std::vector<std::vector<std::string>> rows{
      {"operation", "calls", "launches", "copied", "seconds", "share"}};
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  double outside = whole, products = 0, rounds = 0;
  for (const operation_profile& o : noting.profile()) {
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
  r.more["profile"] = {{"seconds", whole},
                       {"operations", operations},
                       {"outside", {{"seconds", outside}, {"share", outside / whole}}},
                       {"products_share", products},
                       {"rounds_share", rounds}};
  r.text += fmt::format("\nprofile of a trial, the device waited for after each operation: {}\n{}",
                        duration(whole), table(rows));
  r.text += fmt::format("products take {} of the time", percent(products));
  if (rounds > 0) r.text += fmt::format(", rounds of them done together {}", percent(rounds));
  r.text += "\n";
}

}  // namespace tropic::cli
