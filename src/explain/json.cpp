// SPDX-License-Identifier: Apache-2.0
#include "explain/json.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tropic::detail {

namespace {

json_builder json_of(const length_summary& s) {
  json_builder made = json_builder::object();
  made.add("mean", s.mean)
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
  return made;
}

template <class List>
json_builder json_list(const List& values) {
  json_builder made = json_builder::list();
  for (const auto& value : values) made.add(value);
  return made;
}

json_builder json_of(const matrix_features& f) {
  json_builder made = json_builder::object();
  made.add("rows", f.rows)
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
      .add("window_misses", f.window_misses)
      .add("piece_misses", f.piece_misses)
      .add("reuse", f.reuse)
      .add("dense_share", f.dense_share)
      .add("dirty_share", f.dirty_share)
      .add("seconds", f.seconds);
  return made;
}

json_builder json_of(const plan_candidate& c, index_t calls) {
  json_builder made = json_builder::object();
  made.add("kernel", c.kernel).add("hot_columns", c.hot_columns);
  if (!c.why_not.empty()) return made.add("why_not", c.why_not);
  json_builder predicted = json_builder::object();
  predicted.add("call", c.call)
      .add("conversion", c.conversion)
      .add("transfer", c.transfer)
      .add("total", c.total(calls));
  return made.add("predicted", predicted);
}

// Bytes of the character of UTF-8 that `text` starts with; 0 where it is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t n = 1; n < length; ++n)
    if ((byte(n) & 0xc0) != 0x80) return 0;
  // Overlong ones, surrogates, and what lies past U+10FFFF.
  if (length < 3) return length;
  const unsigned second = byte(1);
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string made = "\"";
  while (!text.empty()) {
    const std::size_t length = character(text);
    const char first = text.front();
    if (length == 0)
      made += "\xef\xbf\xbd";
    else if (first == '"' || first == '\\')
      made.append(1, '\\').append(1, first);
    else if (first == '\n')
      made += "\\n";
    else if (static_cast<unsigned char>(first) < 0x20)
      made += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    else
      made += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return made += '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::string made = fmt::format("{}", value);
  // What has neither point nor exponent would be read back as a whole number.
  if (made.find_first_of(".e") == std::string::npos) made += ".0";
  return made;
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
