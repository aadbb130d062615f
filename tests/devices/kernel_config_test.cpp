// SPDX-License-Identifier: Apache-2.0
#include "backends/device/products/kernel_config.hpp"
#include "backends/device/products/kernel_limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <tropic/error.hpp>

#include "device_traits.hpp"
#include "support/messages.hpp"

namespace tropic::detail {
namespace {

device_traits with_local_memory() {
  return {.name = "a CPU",
          .fp64 = true,
          .local_bytes = 32 << 10,
          .group_limit = 4096,
          .processors = 2,
          .subgroup_size = 16};
}

std::string refusal(std::string_view kernel, const device_traits& device) {
  return testing::message_of<usage_error>([&] { parse_kernel(kernel, device); });
}

TEST(KernelConfig, ReadsConstants) {
  const kernel_config c = parse_kernel(
      "csr_segmented:rows=speculate,check=host,join=launch,items=5,tiles=3,subgroups=4",
      gpu_traits());
  EXPECT_EQ(c.name(), "csr_segmented");
  EXPECT_TRUE(c.speculate);
  EXPECT_TRUE(c.check_on_host);
  EXPECT_EQ(c.join, group_join::launch);
  EXPECT_EQ(c.items, 5U);
  EXPECT_EQ(c.tiles, 3U);
  EXPECT_EQ(c.subgroups, 4U);
}

TEST(KernelConfig, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("coo:tiles=0", gpu_traits()),
            "kernel 'coo:tiles=0': tiles=0, expected a number from 1 to 1024");
  EXPECT_EQ(refusal("coo:subgroup=8", gpu_traits()),
            "kernel 'coo:subgroup=8': subgroup=8, expected 32, as a GPU has it");
  EXPECT_EQ(refusal("coo:join=soon", gpu_traits()),
            "kernel 'coo:join=soon': join=soon, expected tickets or launch");
  EXPECT_EQ(
      refusal("coo:join=tickets", with_local_memory()),
      "kernel 'coo:join=tickets': join=tickets, expected launch, as a CPU gives groups no way "
      "to see each other's stores");
  EXPECT_NE(refusal("coo:color=red", gpu_traits()), testing::no_error);
  EXPECT_NE(refusal("coo:tiles", gpu_traits()), testing::no_error);
}

TEST(KernelConfig, RefusesTheOptionsOfOtherKernels) {
  EXPECT_EQ(
      refusal("csr_vector:width=4,tiles=2", gpu_traits()),
      "kernel 'csr_vector:width=4,tiles=2': csr_vector has no option 'tiles', expected one of "
      "subgroup, subgroups, width");
  EXPECT_EQ(refusal("csr_hubs:color=red", gpu_traits()),
            "kernel 'csr_hubs:color=red': csr_hubs has no option 'color', expected one of hubs, "
            "parts, least, order");
  EXPECT_EQ(refusal("csr_hubs:order=some", gpu_traits()),
            "kernel 'csr_hubs:order=some': order=some, expected hubs or all");
  EXPECT_EQ(refusal("csr_scalar:width=4", gpu_traits()),
            "kernel 'csr_scalar:width=4': found 'width', but csr_scalar has no options");
}

// A kernel reads the options that its row names, and no others.
TEST(KernelConfig, EveryOptionIsOfSomeKernels) {
  const std::pair<std::string_view, std::string_view> all[] = {
      {"rows", "speculate"}, {"check", "host"}, {"join", "launch"}, {"subgroup", "32"},
      {"subgroups", "2"},    {"items", "2"},    {"tiles", "2"},     {"width", "2"},
      {"height", "2"},       {"slots", "2"},    {"overhead", "2"},  {"block", "4x16"},
      {"fill", "2"},         {"hubs", "32"},    {"parts", "2"},     {"least", "2"},
      {"order", "all"},      {"piece", "2"},    {"bits", "256"}};
  for (const device_kernel* kernel : device_kernels()) {
    for (const std::string_view option : kernel->options)
      EXPECT_EQ(
          std::ranges::count(all, option, &std::pair<std::string_view, std::string_view>::first), 1)
          << kernel->info.name << " " << option;
    for (const auto& [key, value] : all) {
      const std::string text =
          std::string(kernel->info.name) + ":" + std::string(key) + "=" + std::string(value);
      const bool has_option = std::ranges::find(kernel->options, key) != kernel->options.end();
      EXPECT_EQ(refusal(text, gpu_traits()) == testing::no_error, has_option) << text;
    }
  }
}

// Bits that two vectors can halve at multiples of 16 bytes, as many as fit beside a counter;
// columns are ordered where there are more.
TEST(KernelConfig, BitsFitIntoLocalMemory) {
  matrix_base m;
  m.columns = 1 << 20;
  const auto chosen = [&m](const char* text) {
    return complete(parse_kernel(text, gpu_traits()), gpu_traits(), 1, m);
  };
  const std::size_t room = std::max(gpu_traits().most_local_bytes, gpu_traits().local_bytes);
  const kernel_config usual = chosen("csr_bits");
  EXPECT_EQ(usual.bits % 256, 0U);
  EXPECT_LE(usual.bits / 8 + bytes_beside_bits, room);
  EXPECT_GT(usual.bits / 8 + bytes_beside_bits + 64, std::min<std::size_t>(room, 1 << 18));
  EXPECT_EQ(chosen("csr_bits:bits=1").bits, 256U);
  EXPECT_EQ(chosen("csr_bits:bits=1000").bits, 768U);
  EXPECT_EQ(chosen("csr_bits:bits=2097152").bits, usual.bits);
  EXPECT_TRUE(chosen("csr_bits:bits=1000").hubs_layout().orders_all);
  EXPECT_EQ(usual.hubs_layout().orders_all, bits_of_columns(1 << 20) > usual.bits);
  m.columns = 767;
  EXPECT_TRUE(chosen("csr_bits:bits=768").hubs_layout().orders_all);  // zeros need bits as well
}

// Parts of hubs: whole words of flags, as many as fit, and room for the nearest cache by default.
TEST(KernelConfig, PartsOfHubsFitTheDevice) {
  matrix_base m;
  m.rows = m.columns = 1 << 20;
  m.nnz = 1 << 24;
  const kernel_config asked =
      complete(parse_kernel("csr_hubs:hubs=100,parts=3", gpu_traits()), gpu_traits(), 4, m);
  EXPECT_EQ(asked.hubs, 128U);
  EXPECT_EQ(asked.hub_parts, 3U);
  for (const device_traits& device : {gpu_traits(), with_local_memory()})
    for (const std::size_t value_bytes : {1U, 2U, 4U, 8U, 64U}) {
      const kernel_config usual =
                              complete(parse_kernel("csr_hubs", device), device, value_bytes, m),
                          largest = complete(parse_kernel("csr_hubs:hubs=65504", device), device,
                                             value_bytes, m);
      const std::size_t room = std::max(device.local_bytes, device.most_local_bytes);
      EXPECT_LE(largest.hubs * value_bytes + largest.hubs / 8, room) << value_bytes;
      EXPECT_LE(usual.hubs, largest.hubs) << value_bytes;
      EXPECT_EQ(usual.hubs % 32, 0U) << value_bytes;
      EXPECT_GT(usual.hubs, 0U) << value_bytes;
      EXPECT_EQ(usual.hub_parts, device.most_local_bytes > 0 ? 2U : 4U) << value_bytes;
    }
}

// Where u exceeds the caches, all of its columns are ordered, unless the user says otherwise.
TEST(KernelConfig, HubsOrderAllColumnsOfALargeVector) {
  matrix_base m;
  m.rows = m.columns = 6 << 20;
  m.nnz = 1 << 27;
  const auto orders_all = [&](const char* text, std::size_t value_bytes) {
    const kernel_config chosen =
        complete(parse_kernel(text, gpu_traits()), gpu_traits(), value_bytes, m);
    return chosen.hubs_layout().orders_all;
  };
  EXPECT_FALSE(orders_all("csr_hubs", 8));
  EXPECT_TRUE(orders_all("csr_hubs:order=all", 8));
  ++m.columns;
  EXPECT_TRUE(orders_all("csr_hubs", 8));
  EXPECT_FALSE(orders_all("csr_hubs", 4));
  EXPECT_FALSE(orders_all("csr_hubs:order=hubs", 8));
}

// Whatever the matrix, what is chosen fits the device, and every group has a tile.
TEST(KernelConfig, FitsTheDeviceAndLeavesNoGroupIdle) {
  for (const device_traits& device : {gpu_traits(), with_local_memory()})
    for (const std::string_view kernel : {"coo", "csr_segmented", "csr_segmented:tiles=2"})
      for (const std::size_t value_bytes : {1U, 4U, 8U, 16U, 64U})
        for (const index_t nnz : {1, 31, 32, 1000, 168960, 1182721, 4000000, 100000000}) {
          matrix_base m;
          m.rows = 1000;
          m.nnz = nnz;
          m.longest_row = nnz / 2;
          const kernel_config c = complete(parse_kernel(kernel, device), device, value_bytes, m);
          const std::string what = std::string(kernel) + " on " + device.name + ", " +
                                   std::to_string(nnz) + " entries of " +
                                   std::to_string(value_bytes) + " bytes";
          EXPECT_LE(c.group_size(), device.group_limit) << what;
          EXPECT_LE(c.subgroups * c.tile() * (value_bytes + 4), device.local_bytes) << what;
          const std::uint64_t tiles = (static_cast<std::uint64_t>(nnz) + c.tile() - 1) / c.tile();
          const std::uint64_t groups = c.groups(device, tiles);
          EXPECT_GE(groups, 1U) << what;
          // A subgroup gets tiles / subgroups tiles, the first ones one more.
          const std::uint64_t subgroups = groups * c.subgroups,
                              tiles_per_subgroup = tiles / subgroups, remainder = tiles % subgroups;
          EXPECT_TRUE(tiles_per_subgroup > 0 || (groups - 1) * c.subgroups < remainder) << what;
          EXPECT_TRUE(c.tiles == 0 || tiles_per_subgroup + (remainder > 0) <= c.tiles) << what;
          EXPECT_EQ(c.join == group_join::tickets, device.exchange == subgroup_exchange::shuffle &&
                                                       groups <= c.groups_at_once(device))
              << what;
        }
}

kernel_config of_segmented(std::size_t value_bytes, index_t rows, index_t nnz, index_t longest) {
  matrix_base m;
  m.rows = rows;
  m.nnz = nnz;
  m.longest_row = longest;
  return complete(parse_kernel("csr_segmented", gpu_traits()), gpu_traits(), value_bytes, m);
}

// Measured on a GPU of 132 processors (docs/performance.md).
TEST(KernelConfig, TilesFollowTheShapeOfTheMatrix) {
  EXPECT_EQ(of_segmented(4, 62000, 4000000, 78).items, 10U) << "rows alike";
  EXPECT_EQ(of_segmented(4, 682712, 3900000, 395000).items, 5U) << "one long row";
  EXPECT_EQ(of_segmented(4, 1524453, 3868020, 9).items, 5U) << "short rows";
  EXPECT_EQ(of_segmented(8, 62000, 4000000, 78).items, 5U) << "wide values";
  EXPECT_EQ(of_segmented(4, 1000, 30000, 40).items, 3U) << "few entries";
  // Wide values: three groups of 40 tiles for each processor, while all of it runs at once.
  EXPECT_EQ(of_segmented(8, 47000, 2400000, 145).tiles, 5U);
  EXPECT_EQ(of_segmented(8, 36000, 4300000, 204).tiles, 2U);
}

}  // namespace
}  // namespace tropic::detail
