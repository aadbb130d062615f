// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps of which a block_evaluator's program consists: each is one loop over arrays of one
// type, compiled for the processor's vector instructions.

#include <cstddef>
#include <cstdint>

#include <tropic/semirings/export.hpp>
#include <tropic/semirings/expression.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// Arrays of `count` elements. No array overlaps z, unless it is z and its elements have the same
/// size.
struct step_arguments {
  std::byte* z;
  const std::byte *a, *b, *c, *d;
  std::size_t count;
  std::size_t stride;  // bytes from one record to the next, for loads and stores of fields
};
using block_step = void (*)(const step_arguments&);

/// z[n] = a[n] op b[n], or op a[n]. `code`: the type of the operands; shift counts are int64. Null
/// if the type does not have the operator.
TROPIC_API block_step step_of(expression::node_kind kind, type_code code);
/// z[n] = f(a[n]), or f(a[n], b[n]).
TROPIC_API block_step step_of(expression::function f, type_code code);
/// z[n] = a[n], of another type.
TROPIC_API block_step conversion_step(type_code to, type_code from);
/// z[n] = a[n] ? b[n] : c[n]: a is bool, the others have the type `code`.
TROPIC_API block_step choice_step(type_code code);
/// z[n] = a[n] < b[n] ? c[n] : d[n], all of the type `code`, for each comparison. Null otherwise.
TROPIC_API block_step comparing_choice_step(expression::node_kind comparison, type_code code);
/// z[n] = a[n], of records `stride` bytes apart. Elements of 1, 2, 4 or 8 bytes.
TROPIC_API block_step load_step(std::size_t bytes);
/// The reverse: the records are z.
TROPIC_API block_step store_step(std::size_t bytes);

}  // namespace tropic::detail
