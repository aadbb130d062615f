// SPDX-License-Identifier: Apache-2.0
#pragma once

// What `tropic spgemm --explain` prints.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "backends/cost_source.hpp"
#include "cli/output/report.hpp"

namespace tropic::cli {

nlohmann::ordered_json to_json(const detail::mxm_explanation&);
/// Which kernel the product runs by, and which method has how many of its rows.
std::string text_of(const detail::mxm_explanation&);
/// Predicted steps and measured times of the kernels that were run or that could run.
std::string candidates_of(const detail::mxm_explanation&, const std::vector<report>& measured);

}  // namespace tropic::cli
