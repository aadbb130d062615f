// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocations that fail on demand: those of GraphBLAS, which is started with these functions, and
// those of operator new.

namespace tropic::testing::allocations {

enum class kind { graphblas, operator_new };

/// The n-th allocation of that kind from now on fails, once.
void fail_after(kind which, long allocations);
/// No more; whether one failed since fail_after.
bool stop_failing();

}  // namespace tropic::testing::allocations
