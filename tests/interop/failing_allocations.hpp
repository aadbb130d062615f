// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocations that fail on demand: those of operator new (failing_new.cpp), those of a context, and
// those of another library, which asks whether to fail.

#include <functional>
#include <tropic/context.hpp>

namespace tropic::testing::allocations {

enum class kind { foreign, operator_new };

/// Makes the n-th allocation of that kind from now on fail, once.
void fail_after(kind kind_of_failure, long allocations);
/// Ends this. Returns whether an allocation failed since fail_after.
bool stop_failing();
/// For the allocator of another library: whether this allocation must fail.
bool foreign_fails();

struct steps {
  std::function<void()> prepare;  // restores both sides before each call
  std::function<void()> act;      // the call itself
  std::function<void()> intact;   // checks both sides after a failure
  std::function<void()> done;     // and after success
};

/// Runs the steps with the first, second, ... allocation of each kind failing, until no allocation
/// is left to fail: the call must throw out_of_memory or std::bad_alloc, and succeed right
/// afterwards. Returns the number of failures.
int with_every_allocation_failing(const context& where, const steps& s);

}  // namespace tropic::testing::allocations
