// SPDX-License-Identifier: Apache-2.0
#pragma once

// operator new that fails on demand, in the programs that link failing_new.cpp.

namespace tropic::testing::allocations {

/// Makes the n-th allocation by operator new from now on fail, once; negative: none fails.
void fail_new_after(long allocations);
/// Whether one failed since.
bool new_has_failed();

}  // namespace tropic::testing::allocations
