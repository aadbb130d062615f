// SPDX-License-Identifier: Apache-2.0
#pragma once

// Selects the kernel of a product without an inspection: by a fixed rule, from what a call knows
// without one.

#include <tropic/plan.hpp>

#include "backends/cost_source.hpp"

namespace tropic::detail {

/// The kernel by which the backend should multiply.
std::string_view choose_kernel(cost_source& source, const product&, const vector_rule&,
                               index_t expected_calls);

/// The same choice with its reason.
plan explain_choice(cost_source& source, const product&, const vector_rule&,
                    index_t expected_calls);

}  // namespace tropic::detail
