// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "backends/backend.hpp"

namespace tropic::cli {

/// How a kernel deals a matrix to work-items.
nlohmann::ordered_json to_json(const detail::work_mapping&);

}  // namespace tropic::cli
