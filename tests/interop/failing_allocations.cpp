// SPDX-License-Identifier: Apache-2.0
#include "interop/failing_allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include <tropic/detail/context_state.hpp>

namespace tropic::testing::allocations {
namespace {

std::atomic<long> countdown[2] = {-1, -1};
std::atomic<bool> failed{false};

}  // namespace

bool fails(kind which) {
  std::atomic<long>& left = countdown[static_cast<int>(which)];
  if (left < 0 || left-- != 0) return false;
  left = -1;
  failed = true;
  return true;
}
void fail_after(kind which, long allocations) {
  failed = false;
  countdown[static_cast<int>(which)] = allocations;
}
bool stop_failing() {
  for (std::atomic<long>& left : countdown) left = -1;
  return failed;
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

// All forms but those of over-aligned types, which are nobody's here.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  using namespace tropic::testing::allocations;
  return fails(kind::operator_new) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& no) noexcept {
  return operator new(bytes, no);
}
void* operator new(std::size_t bytes) {
  void* made = operator new(bytes, std::nothrow);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
  std::free(block);
}
