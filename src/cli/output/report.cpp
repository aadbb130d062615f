// SPDX-License-Identifier: Apache-2.0

// Reports: the JSON keys common to all commands, and the parts of the text.

#include "cli/output/report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "backends/backend.hpp"
#include "cli/errors.hpp"
#include "cli/timer.hpp"
#include "io/text.hpp"

namespace tropic::cli {

using nlohmann::ordered_json;

void report::set_matrix(const detail::matrix_base& matrix) {
  rows = matrix.rows;
  columns = matrix.columns;
  nnz = matrix.nnz;
}

void report::check(const std::string& name, const std::string& complaint) {
  checks.emplace_back(name, complaint.empty());
  text += complaint.empty() ? fmt::format("check    {}: ok\n", name)
                            : fmt::format("check    {}: FAILED, {}\n", name, complaint);
}

bool report::all_passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const auto& c) { return c.second; });
}

ordered_json to_json(const report& r) {
  const auto or_null = [](const auto& value) {
    return value ? ordered_json(*value) : ordered_json();
  };
  ordered_json checks = ordered_json::object();
  for (const auto& [name, passed] : r.checks) checks[name] = passed;
  ordered_json object{
      {"command", r.command},
      {"device", r.device},
      {"rows", r.rows},
      {"columns", r.columns},
      {"nnz", r.nnz},
      {"kernel", or_null(r.kernel)},
      {"iterations", or_null(r.iterations)},
      {"seconds",
       {{"load", r.seconds.load},
        {"inspect", r.seconds.inspect},
        {"convert", r.seconds.convert},
        {"transfer", r.seconds.transfer},
        {"run", r.seconds.run}}},
      {"gbytes_per_second", or_null(r.gbytes_per_second)},
      {"checks", checks},
  };
  // The peak while the algorithm ran, with the graph.
  if (r.memory.context != nullptr && r.memory.context->account.peak() > 0)
    object["memory"] = {{"graph", r.memory.graph}, {"peak", r.memory.context->account.peak()}};
  if (r.seconds.first_use) object["seconds"]["first_use"] = *r.seconds.first_use;
  for (const auto& [key, value] : r.extra.items()) object[key] = value;
  return object;
}

ordered_json to_json(const detail::work_mapping& shape) {
  return {{"unit", name_of(shape.unit)},
          {"subgroup", shape.subgroup_size},
          {"lanes", shape.lanes},
          {"strip_rows", shape.strip_rows},
          {"slots", shape.slots}};
}

std::string json_text(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json parsed_json(std::string_view text) {
  return ordered_json::parse(text, nullptr, false);
}

exit_code finish(const program& p, const report& r, const written& outputs) {
  std::string text;
  if (p.common.json) {
    text = json_text(to_json(r)) + "\n";
  } else if (!p.common.quiet) {
    text = r.text;
  }
  std::string closed = outputs.closed;
  if (outputs.used_standard_output) {
    std::fputs(text.c_str(), stderr);
  } else {
    try {
      print(text);
    } catch (const output_closed& failure) {
      // The summary was not requested by an option.
      if (p.common.json) closed = failure.what();
    }
  }
  // A reader that leaves early (`| head`) has read enough, unless there were several outputs.
  const bool is_complete = closed.empty() || outputs.count + (p.common.json ? 1 : 0) < 2;
  if (!is_complete) complain(closed);
  return !r.all_passed() ? failed_check : is_complete ? success : bad_usage;
}

std::string grouped(double number) {
  if (!std::isfinite(number) || std::abs(number) >= 1e15) return fmt::format("{:g}", number);
  if (number == std::trunc(number)) return grouped(fmt::format("{:.0f}", number));
  const std::string digits = fmt::format("{:.6g}", number);
  if (digits.find('e') != std::string::npos) return digits;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  return grouped(digits.substr(0, point)) + digits.substr(point);
}

std::string size_text(std::size_t bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.3g} {}", value, units[unit]);
}

std::string headline(const std::string& file, const report& r, const context& where) {
  return fmt::format("{}: {} x {}, {} entries, on {}{}\n", io::detail::printable(file),
                     grouped(r.rows), grouped(r.columns), grouped(r.nnz), r.device,
                     where.name() == "cpu" ? fmt::format(" ({} thread{})", where.threads(),
                                                         where.threads() == 1 ? "" : "s")
                                           : "");
}

std::string timing_line(const timings& t) {
  std::string line = "time     load " + duration(t.load);
  if (t.transfer > 0) line += ", transfer " + duration(t.transfer);
  if (t.convert > 0) line += ", convert " + duration(t.convert);
  if (t.first_use) line += ", first use " + duration(*t.first_use);
  if (!t.run.empty()) {
    line += ", run " + duration(median(t.run));
    if (t.run.size() > 1)
      line += fmt::format(" median of {} (min {}, max {})", t.run.size(),
                          duration(*std::min_element(t.run.begin(), t.run.end())),
                          duration(*std::max_element(t.run.begin(), t.run.end())));
  }
  return line + "\n";
}

std::string kernel_name(const context& where) {
  const auto kernels = where.state()->executor->kernels();
  return kernels.size() == 1 ? std::string(kernels.front()->name) : "auto";
}

double transfer(const context& where, const detail::matrix_base& matrix) {
  if (!where.state()->device_memory) return 0;
  const auto start = std::chrono::steady_clock::now();
  for (const detail::buffer_pointer& part : {matrix.offsets, matrix.column_indices, matrix.values})
    if (part && part->bytes() > 0) part->device();
  where.synchronize();
  return seconds_since(start);
}

}  // namespace tropic::cli
