// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures a device for the cost model: every kernel on the synthetic matrices.

#include <span>

#include "plan/cost_model.hpp"
#include "plan/synthetic_matrix.hpp"

namespace tropic::detail {

struct context_state;

/// May take a minute; calls progress and cancel.
cost_constants measured_constants(context_state&);
/// The same for these kernels over these matrices, the first of which is tiny: it shows the fixed
/// time of a call.
cost_constants measured_constants(context_state&, kernel_table, std::span<const synthetic_matrix>);

}  // namespace tropic::detail
