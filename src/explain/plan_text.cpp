// SPDX-License-Identifier: Apache-2.0

// A plan as text.

#include <fmt/format.h>

#include <tropic/plan.hpp>

#include "text/numbers.hpp"

namespace tropic {

namespace {

using detail::duration;
using detail::grouped;

std::vector<std::string> row_of(const std::string& name, const length_summary& s) {
  std::vector<std::string> row{name, fmt::format("{:.4g}", s.mean),
                               fmt::format("{:.4g}", s.variance)};
  for (const index_t n : {s.minimum, s.median, s.p90, s.p99, s.maximum}) row.push_back(grouped(n));
  row.push_back(fmt::format("{:.0f} %", 100 * s.heaviest_share));
  row.push_back(fmt::format("{:.4g}", s.entropy));
  return row;
}

std::string text_of(const pattern_summary& f) {
  std::string text =
      fmt::format("features   {} x {}, {} entries; {} of them inspected, in {}\n", grouped(f.rows),
                  grouped(f.columns), grouped(f.nnz), grouped(f.sampled), duration(f.seconds));
  text += detail::table({{"entries of a", "mean", "variance", "min", "median", "p90", "p99", "max",
                          "heaviest 1 %", "entropy"},
                         row_of("row", f.row_lengths),
                         row_of("column", f.column_lengths)});
  text += fmt::format(
      "  empty rows {}, entropy of 2x2, 4x4, 8x8 blocks {:.3g}, {:.3g}, {:.3g} bits (at most 2, 4, "
      "6)\n",
      grouped(f.empty_rows), f.block_entropy[0], f.block_entropy[1], f.block_entropy[2]);
  text += fmt::format(
      "  bandwidth {}, mean distance from the diagonal {:.4g}, entries for each column {:.3g}\n",
      grouped(f.bandwidth), f.mean_distance, f.reuse);
  text += fmt::format(
      "  segments of u per entry: {:.2g} in windows of 32, {:.2g} in windows of 4,096; entries in "
      "dense segments {:.0f} %; tiles with an empty row {:.0f} %\n",
      f.segments_per_entry_32, f.segments_per_entry_4096, 100 * f.dense_share, 100 * f.dirty_share);
  return text;
}

}  // namespace

std::string explain(const plan& p) {
  if (p.details == nullptr) return fmt::format("choice     {}\n", p.reason);
  std::string text = text_of(p.details->features);
  const index_t calls = std::max<index_t>(p.expected_calls, 1);
  text += fmt::format("candidates for {} {}, predicted; constants {}\n", grouped(calls),
                      calls == 1 ? "call" : "calls", p.details->constants);
  std::vector<std::vector<std::string>> rows{
      {"kernel", "per call", "conversion", "transfer", "total"}};
  std::string out;
  for (const plan_candidate& c : p.details->candidates) {
    const auto once = [](double seconds) { return seconds > 0 ? duration(seconds) : "-"; };
    if (c.why_not.empty())
      rows.push_back({c.name(), duration(c.call), once(c.conversion), once(c.transfer),
                      duration(c.total(calls))});
    else
      out += fmt::format("  not {}: {}\n", c.name(), c.why_not);
  }
  return text + detail::table(rows) + out + fmt::format("choice     {}\n", p.reason);
}

}  // namespace tropic
