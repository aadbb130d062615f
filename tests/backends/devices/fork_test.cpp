// SPDX-License-Identifier: Apache-2.0

// A process that was forked from one that has used a context: OpenMP's threads and those of a
// driver exist only in the parent, and the child must not wait for them.

#include <sys/wait.h>
#include <unistd.h>

#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "support/on_contexts.hpp"

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define TROPIC_TEST_TSAN
#endif
#endif

namespace tropic::testing {
namespace {

constexpr std::uint32_t size = 200000;

// The sum of A u for a cycle, computed in parts by all threads.
double sum_over_cycle(const context& where) {
  std::vector<std::uint32_t> row(size), column(size);
  for (std::uint32_t i = 0; i < size; ++i) row[i] = i, column[i] = (i + 1) % size;
  const auto a =
      matrix<double>::from_pattern(where, size, size, row, column, 1.0, duplicates::error);
  const vector<double> u(where, size, 0.5);
  vector<double> w(where, size);
  mxv(w, plus_times<double>{}, a, u);
  return reduce(plus_monoid<double>{}, w);
}

// The result of `act` in a child process, which has 60 seconds; -1 if a signal ends it.
template <class Act>
int in_child(const Act& act) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::_exit(act());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Fork : public OnContext {};

TEST_P(Fork, TheChildComputesOnTheCpuAndDevicesAreRefused) {
#ifdef TROPIC_TEST_TSAN
  GTEST_SKIP() << "the thread sanitizer ends children that start threads";
#endif
  const double expected = sum_over_cycle(where());
  const bool on_device = where().state()->device_memory != nullptr;
  const int found = in_child([&] {
    try {
      return sum_over_cycle(where()) == expected ? 0 : 1;
    } catch (const device_error& e) {
      return std::string(e.what()).find("created before fork()") != std::string::npos ? 2 : 3;
    } catch (...) {
      return 4;
    }
  });
  EXPECT_EQ(found, on_device ? 2 : 0);
  EXPECT_EQ(sum_over_cycle(where()), expected);  // the parent is unaffected
}

TEST_P(Fork, TheChildCanCreateAContext) {
#ifdef TROPIC_TEST_TSAN
  GTEST_SKIP() << "the thread sanitizer ends children that start threads";
#endif
  const double expected = sum_over_cycle(where());
  const int threads = where().threads();
  EXPECT_EQ(in_child([&] {
              const context in_child_context = context::cpu({.threads = 2});
              if (in_child_context.threads() != 1) return 1;
              return sum_over_cycle(in_child_context) == expected ? 0 : 2;
            }),
            0);
  EXPECT_EQ(where().threads(), threads);
}

TROPIC_ON_EVERY_CONTEXT(Fork);

}  // namespace
}  // namespace tropic::testing
