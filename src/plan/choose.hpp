// SPDX-License-Identifier: Apache-2.0
#pragma once

// Selects the kernel of a product without an inspection: by a fixed rule, from what a call knows
// without one.

#include <tropic/plan.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

/// The kernel that `executor` shall use.
std::string_view choose_kernel(backend& executor, const product&, const vector_rule&,
                               index_t expected_calls);

/// The same choice with its reason.
plan explain_choice(backend& executor, const product&, const vector_rule&, index_t expected_calls);

}  // namespace tropic::detail
