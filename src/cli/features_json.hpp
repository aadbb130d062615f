// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <tropic/features.hpp>

#include "backends/backend.hpp"

namespace tropic::cli {

nlohmann::ordered_json to_json(const matrix_features&);
/// How a kernel deals a matrix to work-items.
nlohmann::ordered_json to_json(const detail::kernel_shape&);

}  // namespace tropic::cli
