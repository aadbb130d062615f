// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures a device for the cost model: every kernel on the synthetic matrices.

#include "plan/cost_model.hpp"

namespace tropic::detail {

struct context_state;

/// Takes seconds; calls progress and cancel.
cost_constants measured_constants(context_state&);

}  // namespace tropic::detail
