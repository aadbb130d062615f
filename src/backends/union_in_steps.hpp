// SPDX-License-Identifier: Apache-2.0
#pragma once

// ewise_union by the other operations of a backend: op where both operands have an entry, then op
// with the value for the missing operand where the other's mask is false. Used by backends that
// have no kernel of its own for it; each step is parallel, and on a device runs there if it can.

#include "backends/operations.hpp"

namespace tropic::detail {

void union_in_steps(operations&, vector_base& w, const filled_operator&, const vector_base& u,
                    const vector_base& v, const vector_rule&);
void union_in_steps(operations&, matrix_base& c, const filled_operator&, const matrix_base& a,
                    const matrix_base& b, const matrix_rule&);

}  // namespace tropic::detail
