// SPDX-License-Identifier: Apache-2.0
#include "explain/json.hpp"

#include <cmath>

#include <fmt/format.h>

#include "text/utf8.hpp"

namespace tropic::detail {

namespace {

json_builder json_of(const length_summary& s) {
  json_builder result = json_builder::object();
  result.add("mean", s.mean)
      .add("variance", s.variance)
      .add("min", s.minimum)
      .add("p25", s.p25)
      .add("median", s.median)
      .add("p75", s.p75)
      .add("p90", s.p90)
      .add("p99", s.p99)
      .add("p999", s.p999)
      .add("max", s.maximum)
      .add("heaviest_share", s.heaviest_share)
      .add("entropy", s.entropy);
  return result;
}

template <class List>
json_builder json_list(const List& values) {
  json_builder result = json_builder::list();
  for (const auto& value : values) result.add(value);
  return result;
}

json_builder json_of(const pattern_summary& f) {
  json_builder result = json_builder::object();
  result.add("rows", f.rows)
      .add("columns", f.columns)
      .add("nnz", f.nnz)
      .add("empty_rows", f.empty_rows)
      .add("longest_row", f.longest_row)
      .add("sampled", f.sampled)
      .add("row_lengths", json_of(f.row_lengths))
      .add("column_lengths", json_of(f.column_lengths))
      .add("blocks", json_list(f.blocks))
      .add("block_entropy", json_list(f.block_entropy))
      .add("bandwidth", f.bandwidth)
      .add("mean_distance", f.mean_distance)
      .add("segments_per_entry_32", f.segments_per_entry_32)
      .add("segments_per_entry_4096", f.segments_per_entry_4096)
      .add("reuse", f.reuse)
      .add("dense_share", f.dense_share)
      .add("dirty_share", f.dirty_share)
      .add("seconds", f.seconds);
  return result;
}

json_builder json_of(const plan_candidate& c, index_t calls) {
  json_builder result = json_builder::object();
  result.add("kernel", c.kernel).add("hot_columns", c.hot_columns);
  if (!c.why_not.empty()) return result.add("why_not", c.why_not);
  json_builder predicted = json_builder::object();
  predicted.add("call", c.call)
      .add("conversion", c.conversion)
      .add("transfer", c.transfer)
      .add("total", c.total(calls));
  return result.add("predicted", predicted);
}

// Bytes of the Unicode character that `text` starts with; 0 if it starts with none.
std::size_t length_of_character(std::string_view text) {
  const utf8_character c = first_character(text);
  return is_unicode(c.code) ? c.length : 0;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    const char first = text.front();
    if (length == 0)
      result += "\xef\xbf\xbd";
    else if (first == '"' || first == '\\')
      result.append(1, '\\').append(1, first);
    else if (first == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(first) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result += '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::string result = fmt::format("{}", value);
  // A number without point or exponent would be read back as an integer.
  if (result.find_first_of(".e") == std::string::npos) result += ".0";
  return result;
}

void add_plan(json_builder& object, const plan& p) {
  json_builder choice = json_builder::object();
  choice.add("kernel", p.kernel).add("hot_columns", p.hot_columns).add("reason", p.reason);
  object.add("calls", p.expected_calls).add("choice", choice);
  if (p.details == nullptr) return;
  json_builder candidates = json_builder::list();
  for (const plan_candidate& c : p.details->candidates)
    candidates.add(json_of(c, p.expected_calls));
  object.add("features", json_of(p.details->features))
      .add("constants", p.details->constants)
      .add("candidates", candidates);
}

}  // namespace tropic::detail
