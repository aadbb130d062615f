// SPDX-License-Identifier: Apache-2.0
#pragma once

// Features and plans as JSON: what `tropic explain --json` and the C ABI print.

#include <nlohmann/json.hpp>

#include <tropic/plan.hpp>

namespace tropic::detail {

nlohmann::ordered_json to_json(const matrix_features&);

/// {"calls", "choice"}, and where the matrix was inspected {"features", "constants", "candidates"}.
nlohmann::ordered_json to_json(const plan&);

/// As text; bytes that are not UTF-8 are replaced.
std::string to_text(const nlohmann::ordered_json&);

}  // namespace tropic::detail
