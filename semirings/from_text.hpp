// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operators, values and semirings written in the operator language at run time. There is no
// compiled functor behind them: on the CPU they run by blocks (block_evaluator.hpp). All throw
// expression_error (typing.hpp), with a caret under the place, where the text or its types do not
// fit.

#include <string_view>

#include <tropic/semirings/semiring.hpp>
#include <tropic/semirings/typing.hpp>

namespace tropic {

/// An operator given as text at run time. `name` labels it in messages.
TROPIC_API operator_description operator_from_text(std::string_view text, const type_description& x,
                                                   const type_description& y,
                                                   const type_description& z,
                                                   std::string_view name = "operator");

/// A value of type `z` written in the operator language: a number, `inf`, `-inf`, t_one, ...
TROPIC_API scalar_bytes value_from_text(std::string_view text, const type_description& z);

/// A semiring given as text, all of one type: add, identity and multiply.
TROPIC_API semiring_description semiring_from_text(std::string_view add, std::string_view identity,
                                                   std::string_view multiply,
                                                   const type_description& type);

}  // namespace tropic
