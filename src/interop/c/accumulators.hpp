// SPDX-License-Identifier: Apache-2.0
#pragma once

// Accumulators by name, compiled for every built-in type.

#include <optional>
#include <string>
#include <string_view>

#include <tropic/semirings/operator.hpp>

#include "interop/c/support.hpp"

namespace tropic::c_abi {

/// The operator of that name over `type`; empty where there is none.
std::optional<operator_description> accumulator_named(std::string_view name, type_code type);
/// All of them, with commas.
std::string accumulator_names();
/// The operator that `what` names, or gives as text; throws usage_error otherwise.
operator_description accumulator_of(const call& c, const char* text, const type_description& type,
                                    const char* what = "options->accumulate");

}  // namespace tropic::c_abi
