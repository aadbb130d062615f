// SPDX-License-Identifier: Apache-2.0
#include "cli/features_json.hpp"

namespace tropic::cli {

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

nlohmann::ordered_json to_json(const detail::kernel_shape& shape) {
  return {{"by_rows", shape.by_rows},
          {"bunch", shape.bunch},
          {"lanes", shape.lanes},
          {"strip_rows", shape.strip_rows},
          {"slots", shape.slots}};
}

}  // namespace tropic::cli
