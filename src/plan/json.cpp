// SPDX-License-Identifier: Apache-2.0
#include "plan/json.hpp"

namespace tropic::detail {

namespace {

nlohmann::ordered_json to_json(const length_summary& s) {
  return {{"mean", s.mean},
          {"variance", s.variance},
          {"min", s.least},
          {"p25", s.p25},
          {"median", s.median},
          {"p75", s.p75},
          {"p90", s.p90},
          {"p99", s.p99},
          {"p999", s.p999},
          {"max", s.most},
          {"heaviest_share", s.heaviest_share},
          {"entropy", s.entropy}};
}

nlohmann::ordered_json to_json(const plan_candidate& c, index_t calls) {
  nlohmann::ordered_json made{{"kernel", c.kernel}, {"hot_columns", c.hot_columns}};
  if (!c.why_not.empty()) {
    made["why_not"] = c.why_not;
    return made;
  }
  made["predicted"] = {{"call", c.each},
                       {"conversion", c.conversion},
                       {"transfer", c.transfer},
                       {"total", c.total(calls)}};
  return made;
}

}  // namespace

nlohmann::ordered_json to_json(const matrix_features& f) {
  return {{"rows", f.rows},
          {"columns", f.columns},
          {"nnz", f.nnz},
          {"empty_rows", f.empty_rows},
          {"longest_row", f.longest_row},
          {"sampled", f.sampled},
          {"row_lengths", to_json(f.row_lengths)},
          {"column_lengths", to_json(f.column_lengths)},
          {"blocks", f.blocks},
          {"block_entropy", f.block_entropy},
          {"bandwidth", f.bandwidth},
          {"mean_distance", f.mean_distance},
          {"window_misses", f.window_misses},
          {"piece_misses", f.piece_misses},
          {"reuse", f.reuse},
          {"dense_share", f.dense_share},
          {"dirty_share", f.dirty_share},
          {"seconds", f.seconds}};
}

nlohmann::ordered_json to_json(const plan& p) {
  nlohmann::ordered_json made{
      {"calls", p.expected_calls},
      {"choice", {{"kernel", p.kernel}, {"hot_columns", p.hot_columns}, {"reason", p.reason}}}};
  if (p.details == nullptr) return made;
  made["features"] = to_json(p.details->features);
  made["constants"] = p.details->constants;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const plan_candidate& c : p.details->candidates)
    list.push_back(to_json(c, p.expected_calls));
  made["candidates"] = std::move(list);
  return made;
}

std::string to_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tropic::detail
