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
void fail_after(kind kind_of_failure, long allocations) {
  failed = false;
  countdown = kind_of_failure == kind::foreign ? allocations : -1;
  fail_new_after(kind_of_failure == kind::operator_new ? allocations : -1);
}
bool stop_failing() {
  const bool any = failed || new_has_failed();
  fail_after(kind::foreign, -1);
  return any;
}

int with_every_allocation_failing(const context& where, const steps& s) {
  int failures = 0;
  for (int kind_of_failure = 0; kind_of_failure < 3; ++kind_of_failure)
    for (long n = 0; n < 10000; ++n) {
      SCOPED_TRACE("kind " + std::to_string(kind_of_failure) + ", allocation " + std::to_string(n));
      s.prepare();
      if (kind_of_failure == 0) fail_after(kind::foreign, n);
      if (kind_of_failure == 1) fail_after(kind::operator_new, n);
      if (kind_of_failure == 2) where.state()->account.fail_after(n);
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
