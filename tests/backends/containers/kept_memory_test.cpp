// SPDX-License-Identifier: Apache-2.0

// Host blocks that an account keeps for reuse: they use no more than the limit leaves, and are
// released to the system before a call fails for lack of memory.

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstring>
#include <fstream>
#include <vector>

#include <tropic/detail/buffer.hpp>
#include <tropic/error.hpp>
#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "containers/memory/memory.hpp"

namespace tropic::testing {
namespace {

using detail::memory_account;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Bytes that the C library holds from the system. A sanitizer's allocator reports 0.
std::size_t bytes_of_malloc() {
  const struct mallinfo2 all = ::mallinfo2();
  return all.hblkhd + all.uordblks;
}

TEST(KeptMemory, StaysWithinTheLimitHoweverSizesShrink) {
  const std::size_t before = bytes_of_malloc();
  memory_account account(50 * mebibyte);
  for (int round = 0; round < 12; ++round)
    for (double size = 20.0 * mebibyte; size > mebibyte; size *= 0.81) {
      const auto bytes = static_cast<std::size_t>(size);
      account.deallocate_host(account.allocate_host(bytes), bytes);
    }
  EXPECT_EQ(account.used(), 0u);
  EXPECT_LE(bytes_of_malloc(), before + 51 * mebibyte);
}

TEST(KeptMemory, MakesRoomForWhatIsInUse) {
  const std::size_t before = bytes_of_malloc();
  memory_account account(60 * mebibyte);
  std::vector<void*> blocks;
  for (int n = 0; n < 4; ++n) blocks.push_back(account.allocate_host(10 * mebibyte));
  for (void* block : blocks) account.deallocate_host(block, 10 * mebibyte);
  void* large = account.allocate_host(50 * mebibyte);
  EXPECT_LE(bytes_of_malloc(), before + 61 * mebibyte);
  account.deallocate_host(large, 50 * mebibyte);
}

TEST(KeptMemory, ServesReuseAtTheSameSize) {
  memory_account account(0);
  void* first = account.allocate_host(mebibyte);
  account.deallocate_host(first, mebibyte);
  void* second = account.allocate_host(mebibyte - 1000);
  EXPECT_EQ(first, second);
  account.deallocate_host(second, mebibyte - 1000);
}

TEST(KeptMemory, HasAPeakOfWhatIsUsedUnderAWatch) {
  memory_account account(0);
  void* held = account.allocate_host(3000);
  account.deallocate_host(account.allocate_host(9000), 9000);
  EXPECT_EQ(account.peak(), 0u);
  {
    const detail::peak_watch watch(account);
    EXPECT_EQ(account.peak(), 3000u);  // what is there already
    account.deallocate_host(account.allocate_host(4000), 4000);
    {
      const detail::peak_watch inner(account);
      account.deallocate_host(account.allocate_host(1000), 1000);
    }
    EXPECT_EQ(account.peak(), 7000u);
    account.deallocate_host(account.allocate_host(5000), 5000);
  }
  account.deallocate_host(account.allocate_host(9000), 9000);
  EXPECT_EQ(account.peak(), 8000u);
  account.deallocate_host(held, 3000);
}

// Evicted blocks are kept first, and then released to the system.
TEST(KeptMemory, OfEvictedConversionsServesTheCallThatNeedsIt) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer cannot run under a limit of addresses";
#endif
  const auto attempt = [] {
    memory_account account(0);
    constexpr std::size_t held = 200 * mebibyte;
    void* conversion = account.allocate_host(held);
    account.evict = [&]() -> std::size_t {
      if (conversion == nullptr) return 0;
      account.deallocate_host(conversion, held);
      conversion = nullptr;
      return held;
    };
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * 4096 + 40 * mebibyte;
    const struct rlimit limit {
      bytes, bytes
    };
    ::setrlimit(RLIMIT_AS, &limit);
    try {
      account.allocate_host(150 * mebibyte);
    } catch (const out_of_memory&) {
      std::_Exit(1);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(attempt(), ::testing::ExitedWithCode(0), "");
}

// A push keeps a value and a flag for every output position, until memory is needed.
TEST(KeptMemory, OfPushesIsFreedWhenMemoryRunsShort) {
  constexpr index_t n = 1 << 20;
  constexpr std::size_t limit = 64 * mebibyte;
  for (const bool profile : {false, true}) {
    const context where = context::cpu({.threads = 2, .memory_limit = limit, .profile = profile});
    const auto a = matrix<double>::from_entries(where, n, n, std::vector<std::uint32_t>{5, 5, 9},
                                                std::vector<std::uint32_t>{7, n - 1, 8},
                                                std::vector<double>{2, 3, 4});
    vector<double> u(where, n), w(where, n);
    u.set(5, 10);
    const plan push{.kernel = "push"};
    const std::size_t before = where.memory_used();
    const auto check = [&] {
      vxm(w, plus_times<double>{}, u, a, {.plan = &push});
      EXPECT_EQ(w.nvals(), 2);
      EXPECT_EQ(w.get(n - 1), 30);
    };
    check();
    const std::size_t idle = where.memory_used() - before;
    ASSERT_GT(idle, 12 * mebibyte);
    {
      const auto large = detail::make_buffer(where.state(), limit - before - mebibyte);
      EXPECT_LE(where.memory_used(), limit);
    }
    EXPECT_LT(where.memory_used(), before + mebibyte);
    EXPECT_THROW(detail::make_buffer(where.state(), limit), out_of_memory);
    check();
    EXPECT_EQ(where.memory_used(), before + idle);
  }
}

}  // namespace
}  // namespace tropic::testing
