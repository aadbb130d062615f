// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures a device for the cost model: every kernel, over the made matrices.

#include "plan/cost_model.hpp"

namespace tropic::detail {

struct context_state;

/// Takes seconds, asks for progress and cancel.
cost_constants measured_constants(context_state&);

}  // namespace tropic::detail
