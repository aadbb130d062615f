// SPDX-License-Identifier: Apache-2.0
#pragma once

// The choice of a product's kernel, between the operation and the backend. Today a fixed rule
// between pull and push, from what a call knows without inspection.

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
