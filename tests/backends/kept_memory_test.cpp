// SPDX-License-Identifier: Apache-2.0

// Host blocks that an account keeps for reuse: they take no more than the limit leaves, and go to
// the system before a call fails for want of memory.

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>

#include <cstring>
#include <fstream>
#include <vector>

#include <tropic/error.hpp>

#include "containers/memory.hpp"

namespace tropic::testing {
namespace {

using detail::memory_account;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Bytes that the C library has from the system and has not given back. A sanitizer's allocator
// says 0.
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

// Blocks that are evicted are kept first: they go to the system all the same.
TEST(KeptMemory, OfEvictedConversionsGoesToTheCallThatIsShort) {
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
    const rlim_t most = pages * 4096 + 40 * mebibyte;
    const struct rlimit limit {
      most, most
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

}  // namespace
}  // namespace tropic::testing
