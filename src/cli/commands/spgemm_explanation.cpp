// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/spgemm_explanation.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tropic::cli {

nlohmann::ordered_json to_json(const detail::mxm_explanation& e) {
  nlohmann::ordered_json candidates = nlohmann::ordered_json::array(),
                         shares = nlohmann::ordered_json::array();
  for (const auto& one : e.candidates) {
    nlohmann::ordered_json of_one{{"kernel", one.kernel}};
    if (one.steps) of_one["steps"] = *one.steps;
    if (!one.why_not.empty()) of_one["why_not"] = one.why_not;
    candidates.push_back(of_one);
  }
  for (const auto& one : e.shares)
    shares.push_back(
        {{"part", one.part}, {"method", one.method}, {"rows", one.rows}, {"work", one.work}});
  return {
      {"kernel", e.kernel}, {"reason", e.reason}, {"candidates", candidates}, {"shares", shares}};
}

std::string text_of(const detail::mxm_explanation& e) {
  std::string text = fmt::format("kernel   {}: {}\n", e.kernel, e.reason);
  if (e.shares.empty()) return text;
  std::vector<std::vector<std::string>> rows{{"part", "method", "rows", "products or entries"}};
  for (const auto& one : e.shares)
    rows.push_back({one.part, one.method, grouped(static_cast<index_t>(one.rows)),
                    grouped(static_cast<index_t>(one.work))});
  return text + table(rows);
}

std::string candidates_of(const detail::mxm_explanation& e, const std::vector<report>& measured) {
  const auto time_of = [&](const std::string& kernel) {
    const auto found =
        std::ranges::find(measured, kernel, [](const report& r) { return *r.kernel; });
    return found == measured.end() ? 0.0 : median(found->seconds.run);
  };
  double least = 0, fastest = 0;
  const auto keep_smaller = [](double& smallest, double value) {
    if (value > 0 && (smallest == 0 || value < smallest)) smallest = value;
  };
  for (const auto& one : e.candidates) {
    keep_smaller(least, one.steps.value_or(0));
    keep_smaller(fastest, time_of(one.kernel));
  }
  const auto to = [](double value, double best) {
    return value > 0 ? fmt::format("{:.2f}", value / best) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows{
      {"kernel", "steps", "to least", "measured", "to fastest", "why not"}};
  for (const auto& one : e.candidates) {
    const double time = time_of(one.kernel);
    rows.push_back({one.kernel, one.steps ? fmt::format("{:.3g}", *one.steps) : "-",
                    to(one.steps.value_or(0), least), time > 0 ? duration(time) : "-",
                    to(time, fastest), one.why_not.empty() ? "-" : one.why_not});
  }
  return table(rows);
}

}  // namespace tropic::cli
