// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <tropic/features.hpp>

namespace tropic::cli {

nlohmann::ordered_json to_json(const matrix_features&);

}  // namespace tropic::cli
