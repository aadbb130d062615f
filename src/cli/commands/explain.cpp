// SPDX-License-Identifier: Apache-2.0

// `tropic explain`: the inspection of a matrix, the predicted time of every kernel, and which
// kernel the library selects and why; with --measure also the measured times.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tropic/detail/operations.hpp>

#include "backends/backend.hpp"
#include "cli/bench/candidates.hpp"
#include "cli/input/product_input.hpp"
#include "cli/options.hpp"
#include "cli/output/output.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"
#include "explain/json.hpp"
#include "explain/picture.hpp"
#include "io/text.hpp"
#include "plan/inspection.hpp"

namespace tropic::cli {

namespace {

struct explain_arguments {
  std::string file;
  semiring_options semiring;
  index_t calls = 1;
  bool measure = false;
  std::string picture;
};

// Predicted and measured times, the smallest total first.
std::string measured_table(const std::vector<plan_candidate>& all,
                           const std::vector<measured_candidate>& measured, index_t calls) {
  std::vector<std::vector<std::string>> rows{
      {"measured", "per call", "predicted", "conversion", "predicted", "total", "to best"}};
  std::vector<std::size_t> order;
  double best = 0;
  for (std::size_t n = 0; n < measured.size(); ++n)
    if (measured[n].ran) {
      order.push_back(n);
      const double total = measured[n].total(calls);
      best = best == 0 ? total : std::min(best, total);
    }
  std::ranges::sort(order, {}, [&](std::size_t n) { return measured[n].total(calls); });
  for (const std::size_t n : order) {
    const auto conversion = [](double seconds) { return seconds > 0 ? duration(seconds) : "-"; };
    rows.push_back({all[n].name(), duration(measured[n].call), duration(all[n].call),
                    conversion(measured[n].conversion), conversion(all[n].conversion),
                    duration(measured[n].total(calls)),
                    fmt::format("{:.2f}", measured[n].total(calls) / best)});
  }
  return table(rows);
}

std::string picture_of(const explain_arguments& o, const report& r, const product_input& input,
                       const plan& chosen, const std::vector<measured_candidate>& measured) {
  detail::picture_content content = detail::content_of(input.matrix, chosen);
  content.title = io::detail::printable(o.file);
  content.subtitle =
      fmt::format("{} x {}, {} entries; {} over {} on {}", grouped(r.rows), grouped(r.columns),
                  grouped(r.nnz), o.semiring.name(), input.matrix.type->name, r.device);
  for (std::size_t n = 0; n < measured.size(); ++n)
    if (measured[n].ran) content.candidates[n].measured_seconds = measured[n].total(o.calls);
  return detail::draw(content);
}

exit_code run_explain(const program& p, const explain_arguments& o) {
  o.semiring.check(p);
  check_outputs(p, {o.picture}, {o.file});
  const context where = p.make_context();
  const product_input input = load_product(p, where, o.file, o.semiring);
  p.print_notices();
  report r = begin_report("explain", where, input, o.semiring);
  const auto start = clock::now();
  if (where.state()->executor->kernels().size() > 1) detail::inspect_all(input.matrix);
  const plan chosen = detail::inspect_product(input.semiring, {.matrix = input.matrix}, input.x,
                                              detail::factor_order::matrix_first, o.calls,
                                              detail::inspection_rule::always);
  r.seconds.inspect = seconds_since(start);
  r.kernel = std::string(chosen.kernel);
  detail::json_builder of_plan = detail::json_builder::object();
  detail::add_plan(of_plan, chosen);
  r.extra.update(parsed_json(of_plan.text()));
  r.text = headline(o.file, r, where) +
           fmt::format("explain    {} over {}\n", o.semiring.name(), input.matrix.type->name) +
           explain(chosen);
  std::vector<measured_candidate> measured;
  if (chosen.details != nullptr) {
    // The time of the inspection only, without a calibration that came first.
    r.seconds.inspect = chosen.details->features.seconds;
    if (o.measure) {
      measured = measure(where, input, chosen.details->candidates);
      for (std::size_t n = 0; n < measured.size(); ++n)
        if (measured[n].ran)
          r.extra["candidates"][n]["measured"] = {{"call", measured[n].call},
                                                  {"noise", measured[n].noise},
                                                  {"conversion", measured[n].conversion},
                                                  {"total", measured[n].total(o.calls)}};
      r.text += measured_table(chosen.details->candidates, measured, o.calls);
    }
  }
  if (o.picture.empty()) return finish(p, r);
  return finish(p, r, write_text(p, o.picture, picture_of(o, r, input, chosen, measured)));
}

}  // namespace

void add_explain(CLI::App& app, program& p) {
  auto o = std::make_shared<explain_arguments>();
  command cmd(app, p, "explain", "the plan for products with a matrix, and the reason for it",
              {.device = true, .reading = true, .type = true},
              {"tropic explain graph.mtx --semiring min_plus --calls 100",
               "tropic explain kron:14 --measure --json"});
  cmd.argument("FILE", o->file, file_help);
  o->semiring.add_to(cmd);
  cmd.number<index_t>("--calls", o->calls, "the expected number of products [1]", 1);
  cmd.flag("--measure", o->measure, "run every candidate, to compare with the prediction");
  cmd.text("--picture", "OUT.svg", o->picture, "draw the matrix and the plan");
  cmd.runs([&p, o] { return run_explain(p, *o); });
}

}  // namespace tropic::cli
