// SPDX-License-Identifier: Apache-2.0

// gather_ahead (src/backends/cpu/products): elements of every size, counts around whole groups, and
// indices of which the highest bit is set.

#include "backends/cpu/products/gather_ahead.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "support/cases.hpp"

namespace tropic::testing {
namespace gather_ahead_test {
namespace {

using detail::on_cpu::gather_ahead;

TEST(GatherAhead, CopiesElementsOfEverySize) {
  dice random(3);
  for (const std::size_t bytes : {1U, 2U, 3U, 4U, 8U, 12U, 16U})
    for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 31U, 32U, 33U, 512U}) {
      constexpr std::uint32_t elements = 1000;
      std::vector<std::byte> u(elements * bytes), to(count * bytes + 1, std::byte{77});
      for (std::byte& byte : u) byte = static_cast<std::byte>(random.roll(256));
      std::vector<std::uint32_t> columns(count);
      for (std::uint32_t& column : columns)
        column = static_cast<std::uint32_t>(random.roll(elements));
      gather_ahead(to.data(), u.data(), columns.data(), count, bytes, 512, nullptr, 0);
      for (std::size_t n = 0; n < count; ++n)
        ASSERT_EQ(std::memcmp(to.data() + n * bytes, u.data() + columns[n] * bytes, bytes), 0)
            << bytes << " bytes, element " << n << " of " << count;
      EXPECT_EQ(to.back(), std::byte{77}) << bytes << " bytes, " << count;
    }
}

template <class T>
void check_large_indices() {
  // Address space alone, which needs no memory; the pages of a few elements can be used.
  const std::size_t length = (std::size_t{1} << 32) * sizeof(T);
  void* const start =
      mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(start, MAP_FAILED) << "no address space of " << length << " bytes";
  auto* const u = static_cast<T*>(start);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::vector<std::uint32_t> few{0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
  for (const std::uint32_t n : few) {
    const std::size_t at = n * sizeof(T) / page * page;
    ASSERT_EQ(mprotect(static_cast<std::byte*>(start) + at, page, PROT_READ | PROT_WRITE), 0);
    u[n] = static_cast<T>(n) + 5;
  }
  std::vector<std::uint32_t> columns;
  for (std::size_t n = 0; n < 40; ++n) columns.push_back(few[n * 7 % few.size()]);
  std::vector<T> to(columns.size());
  gather_ahead(reinterpret_cast<std::byte*>(to.data()), reinterpret_cast<const std::byte*>(u),
               columns.data(), columns.size(), sizeof(T), 512, nullptr, 0);
  for (std::size_t n = 0; n < columns.size(); ++n)
    EXPECT_EQ(to[n], static_cast<T>(columns[n]) + 5) << "element " << n;
  munmap(start, length);
}

TEST(GatherAhead, ReadsIndicesAsUnsigned) {
  check_large_indices<std::uint32_t>();
  check_large_indices<std::uint64_t>();
}

}  // namespace
}  // namespace gather_ahead_test
}  // namespace tropic::testing
