// SPDX-License-Identifier: Apache-2.0
#include "interop/failing_allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <string>

#include "containers/context_state.hpp"
#include "interop/failing_new.hpp"

namespace tropic::testing::allocations {
namespace {

std::atomic<long> countdown{-1};
std::atomic<bool> failed{false};

}  // namespace

bool foreign_fails() {
  if (countdown < 0 || countdown-- != 0) return false;
  countdown = -1;
  failed = true;
  return true;
}
void fail_after(kind which, long allocations) {
  failed = false;
  countdown = which == kind::foreign ? allocations : -1;
  fail_new_after(which == kind::operator_new ? allocations : -1);
}
bool stop_failing() {
  const bool any = failed || new_has_failed();
  fail_after(kind::foreign, -1);
  return any;
}

int with_every_allocation_failing(const context& where, const steps& s) {
  int failures = 0;
  for (int which = 0; which < 3; ++which)
    for (long n = 0; n < 10000; ++n) {
      SCOPED_TRACE("kind " + std::to_string(which) + ", allocation " + std::to_string(n));
      s.prepare();
      if (which == 0) fail_after(kind::foreign, n);
      if (which == 1) fail_after(kind::operator_new, n);
      if (which == 2) where.state()->account.fail_after(n);
      bool threw = true;
      try {
        s.act();
        threw = false;
      } catch (const out_of_memory&) {
      } catch (const std::bad_alloc&) {
      }
      where.state()->account.fail_after(-1);
      const bool one_failed = stop_failing() || threw;
      if (threw) {
        s.intact();
        s.act();
      }
      s.done();
      if (::testing::Test::HasFailure()) return failures;
      if (!one_failed) break;
      ++failures;
    }
  return failures;
}

}  // namespace tropic::testing::allocations
