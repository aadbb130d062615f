// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocations that fail on demand: those of operator new (failing_new.cpp), those of a context, and
// those of another library, where it asks whether to fail.

#include <functional>
#include <tropic/context.hpp>

namespace tropic::testing::allocations {

enum class kind { foreign, operator_new };

/// The n-th allocation of that kind from now on fails, once.
void fail_after(kind which, long allocations);
/// No more; whether one failed since fail_after.
bool stop_failing();
/// For the allocator of another library: whether this allocation is the one.
bool foreign_fails();

struct steps {
  std::function<void()> prepare;  // sides as they are before each call
  std::function<void()> act;      // the call alone
  std::function<void()> intact;   // looks at both sides after a failure
  std::function<void()> done;     // and after success
};

/// Runs the steps with the first, second, ... allocation of each kind failing, until there is none
/// left to fail: out_of_memory or std::bad_alloc, and the same call succeeds right afterwards.
/// Returns how many failed.
int with_every_allocation_failing(const context& where, const steps& s);

}  // namespace tropic::testing::allocations
