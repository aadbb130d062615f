// SPDX-License-Identifier: Apache-2.0
#pragma once

// The checks of operations on vectors, for those that run at once and those of a step_list.

#include <optional>
#include <string>

#include "operations/checks.hpp"

namespace tropic::detail {

/// elementwise.cpp
backend& check_ewise(const char* name, const vector_base& w, ewise_positions,
                     const operator_description& op, const vector_base& u, const vector_base& v);
backend& check_apply(const vector_base& w, const unary_description& op, const vector_base& u);

/// multiply.cpp
backend& check_multiply(const char* name, const vector_base& w, const product& p,
                        const plan* forced);
/// The kernel that a call of multiply runs now, without a mask; none if it permutes columns first.
std::optional<std::string> kernel_of(backend&, const product& p, const plan* forced);

}  // namespace tropic::detail
