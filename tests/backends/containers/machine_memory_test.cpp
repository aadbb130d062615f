// SPDX-License-Identifier: Apache-2.0

// Host memory: requests larger than the machine's memory are rejected before anything is written to
// it, and the message states what is free.

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

#include "containers/context_state.hpp"
#include "containers/memory/machine_memory.hpp"

namespace tropic::testing {
namespace {

using detail::available_memory;
using detail::machine_memory;

TEST(MachineMemory, IsKnownHere) {
  EXPECT_GT(available_memory(), std::size_t{1} << 20);
  EXPECT_LE(available_memory(), machine_memory());
}

TEST(MachineMemory, RequestsBeyondItAreRefusedWithTheFreeBytes) {
  const context where = context::cpu();
  detail::memory_account& account = where.state()->account;
  const std::size_t available = machine_memory();
  if (available == out_of_memory::unknown) GTEST_SKIP() << "this system does not say what it has";
  const std::size_t before = account.used();
  try {
    void* block = account.allocate_host(available + 1);
    account.deallocate_host(block, available + 1);
    ADD_FAILURE() << "got more than the machine has";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, available + 1);
    EXPECT_GT(e.available, 0u);
    EXPECT_LE(e.available, available);
    EXPECT_EQ(e.what(), "host memory: " + std::to_string(e.required) + " bytes required, " +
                            std::to_string(e.available) + " bytes free");
  }
  EXPECT_EQ(account.used(), before);
}

TEST(MachineMemory, BlocksTogetherAreNoMoreThanThereIs) {
  // They are never written to: a system that overcommits would grant all of them.
  const std::size_t available = machine_memory();
  if (available == out_of_memory::unknown) GTEST_SKIP() << "this system does not say what it has";
  const context one = context::cpu(), other = context::cpu();
  const std::size_t part = available / 8;
  std::vector<void*> blocks;
  try {
    for (int n = 0; n < 20; ++n)
      blocks.push_back((n % 2 ? one : other).state()->account.allocate_host(part));
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, part);
    EXPECT_NE(e.available, out_of_memory::unknown);
  }
  EXPECT_LE(blocks.size(), 8u);
  for (std::size_t n = 0; n < blocks.size(); ++n)
    (n % 2 ? one : other).state()->account.deallocate_host(blocks[n], part);
  // All of it is available again, also after blocks were kept and reused for less.
  for (int n = 0; n < 50; ++n) {
    detail::memory_account& account = one.state()->account;
    const std::size_t large = (std::size_t{1} << 20) + 64, less = (std::size_t{1} << 20) - 64;
    account.deallocate_host(account.allocate_host(large), large);
    account.deallocate_host(account.allocate_host(less), less);
  }
  void* half = one.state()->account.allocate_host(part);
  one.state()->account.deallocate_host(half, part);
}

TEST(MachineMemory, AVectorThatTheMachineCannotHoldIsRefused) {
  if (machine_memory() > std::size_t{1} << 44) GTEST_SKIP() << "this machine can hold it";
  const context where = context::cpu();
  vector<double> u(where, index_t{1} << 32);
  u.set(5, 1);
  std::string message;
  try {
    // 16 bytes per position in four vectors of 2^32: 256 GiB and more.
    std::vector<vector<double>> all;
    for (int n = 0; n < 512; ++n) {
      all.emplace_back(where, index_t{1} << 32);
      all.back().expect_dense();
    }
  } catch (const out_of_memory& e) {
    message = e.what();
  }
  EXPECT_NE(message.find("bytes required"), std::string::npos);
  EXPECT_EQ(message.find(" 0 bytes free"), std::string::npos) << message;
}

TEST(OutOfMemory, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(out_of_memory(8, out_of_memory::unknown, "x").what(), "x: 8 bytes required");
  EXPECT_STREQ(out_of_memory(8, 3, "x").what(), "x: 8 bytes required, 3 bytes free");
}

}  // namespace
}  // namespace tropic::testing
