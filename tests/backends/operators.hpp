// SPDX-License-Identifier: Apache-2.0
#pragma once

// The operators of the element-wise tests over any type: each in three variants, the last of which
// is given as text and therefore runs without compiled code. Operators are not commutative where
// possible.

#include <tropic/semirings/monoid.hpp>

#include "support/host_data.hpp"

TROPIC_BINARY_OPERATOR(test_shorter,
                       x.length < y.length || (x.length == y.length && x.hops <= y.hops) ? x : y);
TROPIC_BINARY_OPERATOR(test_extend, t_make(x.length + y.length, x.hops + y.hops + 1));
TROPIC_BINARY_OPERATOR(test_extend_by, t_make(x + y.length, y.hops + 1));
TROPIC_MONOID(test_shorter_monoid, test_shorter, t_make(t_inf, t_inf), .idempotent = true);

namespace tropic::testing {

inline constexpr int operator_variants = 3;

/// Of two values; the last variant also reads the position.
operator_description binary_operator(int variant, const type_description& type);
/// To bool.
operator_description comparison(int variant, const type_description& type);
/// Of x and its position, in the same type.
unary_description function_of_entry(int variant, const type_description& type);
/// With a bound first or second operand.
unary_description bound_function(bool first, int variant, const type_description& type);
/// The position alone, as int64.
unary_description position_function(int variant, const type_description& type);
/// To fp64.
unary_description conversion(const type_description& type);
/// To bool: of the value, of the position, of both.
unary_description predicate(int variant, const type_description& type);
/// To bool: x compared with a bound value.
unary_description bound_predicate(int variant, const type_description& type);
monoid_description some_monoid(int variant, const type_description& type);

}  // namespace tropic::testing
