// SPDX-License-Identifier: Apache-2.0
#pragma once

// The choice of a product's kernel, between the operation and the backend. Today a fixed rule
// between pull and push, from what a call knows without inspection.

#include <tropic/plan.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

/// The kernel by which `executor` shall multiply.
std::string_view choose_kernel(backend& executor, const product&, const vector_rule&,
                               index_t expected_calls);

/// The same choice with its reason.
plan explain_choice(backend& executor, const product&, const vector_rule&, index_t expected_calls);

}  // namespace tropic::detail
