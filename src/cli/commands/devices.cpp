// SPDX-License-Identifier: Apache-2.0

// `tropic devices`: the devices of this machine, and the reasons why others are not available.

#include <fmt/format.h>

#include "cli/errors.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

namespace {

exit_code run_devices(const program& p) {
  const std::vector<device_info> found = devices();
  if (p.common.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const device_info& d : found)
      list.push_back({{"name", d.name},
                      {"description", d.description},
                      {"available", d.available},
                      {"reason", d.reason}});
    const nlohmann::ordered_json object{{"command", "devices"}, {"devices", list}};
    print(json_text(object) + "\n");
    return success;
  }
  std::size_t width = 0;
  for (const device_info& d : found) width = std::max(width, d.name.size());
  std::string text;
  for (const device_info& d : found) {
    std::string words = d.description;
    if (!d.available)
      words += (words.empty() ? "" : "; ") + ("not available: " + d.reason);
    else if (!d.reason.empty())
      words += "; " + d.reason;
    text += fmt::format("{:<{}}  {}\n", d.name, width, words);
  }
  print(text);
  return success;
}

}  // namespace

void add_devices(CLI::App& app, program& p) {
  command cmd(app, p, "devices", "the devices of this machine, and why others are not available",
              {}, {"tropic devices", "tropic devices --json"});
  cmd.runs([&p] { return run_devices(p); });
}

}  // namespace tropic::cli
