// SPDX-License-Identifier: Apache-2.0

// `tropic calibrate`: measures the constants of the cost model on a device, and prints them.

#include <fmt/format.h>

#include "backends/backend.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "io/text.hpp"
#include "plan/calibration.hpp"

namespace tropic::cli {

namespace {

struct calibrate_arguments {
  bool show = false;
};

nlohmann::ordered_json json_of(const detail::term_values& values) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (std::size_t n = 0; n < detail::cost_terms; ++n)
    if (values[n] > 0) object[std::string(name_of(static_cast<detail::cost_term>(n)))] = values[n];
  return object;
}

exit_code run_calibrate(const program& p, const calibrate_arguments& o) {
  const context where = p.make_context();
  p.print_notices();
  const auto kernels = where.state()->executor->kernels();
  if (kernels.size() == 1)
    refuse_option("--device", where.name(), "one that has several kernels to choose from");
  const auto found =
      o.show ? detail::known_constants_of(*where.state()) : detail::calibrate(*where.state());
  if (found == nullptr)
    throw error(where.name() + ": was not measured yet; run without --show to measure it");
  report r;
  r.command = "calibrate";
  r.device = where.name();
  r.text = to_text(*found);
  const std::string file = detail::calibration_file(found->device).string();
  r.text += file.empty() ? "not kept, as TROPIC_CACHE=off\n"
                         : fmt::format("kept in {}\n", io::detail::printable(file));
  r.extra["identity"] = found->device;
  r.extra["file"] = file;
  r.extra["measurement_seconds"] = found->seconds;
  r.extra["noise"] = found->noise;
  r.extra["transfer"] = {{"call", found->transfer_call}, {"byte", found->transfer_byte}};
  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  for (const auto& [key, costs] : found->of)
    list[key] = {{"call", json_of(costs.call)},
                 {"conversion", json_of(costs.conversion)},
                 {"floor", costs.floor},
                 {"comparison_factor", costs.compares}};
  r.extra["constants"] = list;
  nlohmann::ordered_json observed = nlohmann::ordered_json::array();
  for (const detail::cost_observation& one : found->observed)
    observed.push_back({{"constants", one.key},
                        {"matrix", one.matrix},
                        {"shape", cli::to_json(one.mapping)},
                        {"call", one.call},
                        {"call_predicted", one.call_predicted},
                        {"conversion", one.conversion},
                        {"conversion_predicted", one.conversion_predicted}});
  if (!observed.empty()) r.extra["observed"] = observed;
  return finish(p, r);
}

}  // namespace

void add_calibrate(CLI::App& app, program& p) {
  auto o = std::make_shared<calibrate_arguments>();
  command cmd(app, p, "calibrate", "measure the constants of the cost model on a device",
              {.device = true},
              {"tropic calibrate --device cpu", "tropic calibrate --show --json"});
  cmd.flag("--show", o->show, "print the known constants without measuring");
  cmd.runs([&p, o] { return run_calibrate(p, *o); });
}

}  // namespace tropic::cli
