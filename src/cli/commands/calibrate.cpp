// SPDX-License-Identifier: Apache-2.0

// `tropic calibrate`: measures a device for the cost model, now, and prints what it found.

#include <fmt/format.h>

#include "backends/backend.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/output/shape_json.hpp"
#include "io/text.hpp"
#include "plan/calibration.hpp"

namespace tropic::cli {

namespace {

struct options {
  bool show = false;
};

nlohmann::ordered_json to_json(const detail::term_values& values) {
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  for (std::size_t n = 0; n < detail::cost_terms; ++n)
    if (values[n] > 0) made[std::string(name_of(static_cast<detail::cost_term>(n)))] = values[n];
  return made;
}

exit_code run(const program& p, const options& o) {
  const context where = p.make_context();
  p.speak();
  const auto kernels = where.state()->executor->kernels();
  if (kernels.size() == 1)
    refuse_option("--device", where.name(), "one that has several kernels to choose from");
  const auto found =
      o.show ? detail::known_constants_of(*where.state()) : detail::calibrate(*where.state());
  if (found == nullptr) throw error(where.name() + ": was not measured yet; without --show it is");
  report r;
  r.command = "calibrate";
  r.device = where.name();
  r.text = to_text(*found);
  const std::string file = detail::calibration_file(found->device).string();
  r.text += file.empty() ? "not kept, as TROPIC_CACHE=off\n"
                         : fmt::format("kept in {}\n", io::detail::printable(file));
  r.more["identity"] = found->device;
  r.more["file"] = file;
  r.more["took"] = found->seconds;
  r.more["noise"] = found->noise;
  r.more["transfer"] = {{"call", found->transfer_call}, {"byte", found->transfer_byte}};
  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  for (const auto& [key, costs] : found->of)
    list[key] = {{"call", to_json(costs.call)},
                 {"conversion", to_json(costs.conversion)},
                 {"floor", costs.floor},
                 {"compares", costs.compares}};
  r.more["constants"] = list;
  nlohmann::ordered_json observed = nlohmann::ordered_json::array();
  for (const detail::cost_observation& one : found->observed)
    observed.push_back({{"constants", one.key},
                        {"matrix", one.matrix},
                        {"shape", cli::to_json(one.mapping)},
                        {"call", one.call},
                        {"call_predicted", one.call_predicted},
                        {"conversion", one.conversion},
                        {"conversion_predicted", one.conversion_predicted}});
  if (!observed.empty()) r.more["observed"] = observed;
  return finish(p, r);
}

}  // namespace

void add_calibrate(CLI::App& app, program& p) {
  auto o = std::make_shared<options>();
  command made(app, p, "calibrate", "measure a device for the cost model, anew", {.device = true},
               {"tropic calibrate --device cpu", "tropic calibrate --show --json"});
  made.flag("--show", o->show, "print what is known, without measuring");
  made.runs([&p, o] { return run(p, *o); });
}

}  // namespace tropic::cli
