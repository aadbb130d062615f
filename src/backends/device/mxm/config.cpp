// SPDX-License-Identifier: Apache-2.0
#include "backends/device/mxm/mxm.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace tropic::detail {

namespace {

// CUDA's limit for arrays of fixed size.
std::size_t local_of(const device_traits& device) {
  return std::min<std::size_t>(device.local_bytes, 48 << 10);
}

// Instructions of all work-items together, roughly: of a bitonic sort whose table is half as large
// as the largest one on average; and of clearing, counting and scanning bits, for which the group
// waits at about twenty barriers.
double table_cost(std::uint32_t slots) {
  const double stages = std::bit_width(slots) * (std::bit_width(slots) - 1) / 2.0;
  return 3.0 * slots * stages;
}
// Long rows of B that a row of fewer than `slots` products can have, and the local memory of a
// team: the table, a list of columns, those rows, and a few words.
std::uint32_t kept_rows(std::uint32_t slots) {
  return slots / 16 + 1;
}
std::size_t table_bytes(std::uint32_t slots) {
  return sizeof(std::uint32_t) * (slots + std::min(slots, 256u) + 2 * kept_rows(slots) + 4);
}
double bits_cost(std::uint32_t group, std::uint32_t words, std::uint64_t ranges) {
  return static_cast<double>(ranges) * (800.0 * group + 11.0 * words);
}

std::uint32_t subgroups_within(const device_traits& device, std::uint32_t wanted,
                               std::uint32_t subgroup, std::size_t bytes) {
  if (device.exchange != subgroup_exchange::shuffle) return 1;
  while (wanted > 1 &&
         (wanted * bytes > local_of(device) || wanted * subgroup > device.group_limit))
    wanted /= 2;
  return wanted;
}

program_request with_subgroups(program_request request, const device_traits& device,
                               std::uint32_t subgroup, std::uint32_t subgroups) {
  request.constants.emplace_back("T_SHUFFLE", device.exchange == subgroup_exchange::shuffle);
  request.constants.emplace_back("T_SUBGROUP", long{subgroup});
  request.constants.emplace_back("T_SUBGROUPS", long{subgroups});
  return request;
}

}  // namespace

mxm_config::mxm_config(const device_traits& device, const mxm_limits& limits,
                       std::size_t value_bytes, const mxm_kernel& kernel)
    : table_group(limits.table_group),
      bit_group(limits.bit_group),
      bit_words(limits.bit_words),
      list_products(kernel.lists == mxm_use::suited ? limits.list_products : 0),
      list_group(limits.table_group),
      short_row(kernel.lists == mxm_use::suited && value_bytes <= limits.short_value_bytes
                    ? limits.short_row
                    : 0),
      short_group(limits.table_group),
      tables(limits.tables),
      use_tables(kernel.tables == mxm_use::suited && !limits.tables_by_cost ? mxm_use::all
                                                                            : kernel.tables),
      use_ranges(kernel.ranges),
      subgroup(device.subgroup_size),
      slots(limits.slots),
      range(static_cast<std::uint32_t>(
          std::bit_floor(std::max<std::size_t>(limits.range_bytes / value_bytes, 32)))),
      long_row(limits.long_row),
      long_share(limits.long_share),
      cuts_per_entry(limits.cuts_per_entry),
      chunk_rows(limits.chunk_rows),
      chunk_products(limits.chunk_products),
      block_rows(limits.block_rows) {
  const std::size_t local = local_of(device);
  const auto largest_group = static_cast<std::uint32_t>(std::bit_floor(device.group_limit));
  table_group = std::min(table_group, largest_group);
  for (mxm_limits::table& t : tables) {
    t.lanes = std::min(t.lanes, largest_group);
    // Of all teams of a group.
    while (t.slots > 4 && group_of(t) / t.lanes * table_bytes(t.slots) > local) {
      t.slots /= 2;
      t.products = std::min(t.products, t.slots / 4 * 3);
    }
  }
  const auto fit = [&](std::uint32_t& group, std::size_t bytes_of_item) {
    group = std::min(group, largest_group);
    while (group > 1 && group * bytes_of_item > local) group /= 2;
  };
  fit(list_group, list_products * sizeof(std::uint32_t));
  fit(short_group, short_row * (sizeof(std::uint32_t) + value_bytes));
  while (bit_group > device.group_limit) bit_group /= 2;
  while (bit_words > bit_group && sizeof(std::uint32_t) * (bit_words + bit_group) > local)
    bit_words /= 2;
  const auto tile_bytes = [&] {
    return slots * (value_bytes + 5) + std::size_t{subgroup} * 8 * sizeof(std::uint32_t) + 64;
  };
  while (slots > 32 && tile_bytes() > std::min<std::size_t>(limits.tile_bytes, local)) slots /= 2;
  tile = std::min(limits.tile, slots);
  const auto range_bytes = [&] {
    return range * (value_bytes + 1) + std::size_t{subgroup} * 3 * sizeof(std::uint32_t) + 64;
  };
  while (range > 32 && range_bytes() > local) range /= 2;
  subgroups_of_tiles = subgroups_within(device, limits.subgroups, subgroup, tile_bytes());
  subgroups_of_ranges = subgroups_within(device, limits.subgroups, subgroup, range_bytes());
}

std::uint32_t mxm_config::words_for(std::uint64_t columns) const {
  const std::uint64_t words_per_item =
      (columns + 32 * std::uint64_t{bit_group} - 1) / (32 * bit_group);
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(words_per_item * bit_group, bit_group, bit_words));
}
std::uint64_t mxm_config::bit_ranges_for(std::uint64_t columns) const {
  const std::uint64_t of_range = 32 * std::uint64_t{words_for(columns)};
  return (columns + of_range - 1) / of_range;
}

std::size_t mxm_config::tables_for(std::uint64_t columns) const {
  if (use_tables == mxm_use::none) return 0;
  std::size_t used = tables.size();
  const double bits = bits_cost(bit_group, words_for(columns), bit_ranges_for(columns));
  while (use_tables == mxm_use::suited && used > 1 && table_cost(tables[used - 1].slots) > bits)
    --used;
  return used;
}

std::uint64_t mxm_config::long_row_of(std::uint64_t columns) const {
  if (use_ranges == mxm_use::none) return std::numeric_limits<std::uint64_t>::max();
  if (use_ranges == mxm_use::all) return 1;
  return std::max<std::uint64_t>((columns + long_share - 1) / long_share, long_row);
}

program_request mxm_config::rows_request() const {
  return {.kernel = "mxm_rows", .constants = {{"T_GROUP_SIZE", long{table_group}}}};
}

program_request mxm_config::lists_request() const {
  return {.kernel = "mxm_lists",
          .constants = {{"T_GROUP_SIZE", long{list_group}}, {"T_SLOTS", long{list_products}}}};
}

program_request mxm_config::table_request(const mxm_limits::table& table) const {
  return {.kernel = "mxm_pattern",
          .constants = {{"T_GROUP_SIZE", long{group_of(table)}},
                        {"T_LANES", long{table.lanes}},
                        {"T_SLOTS", long{table.slots}},
                        {"T_KEPT", long{kept_rows(table.slots)}}}};
}

program_request mxm_config::bits_request() const {
  return {.kernel = "mxm_bits",
          .constants = {{"T_GROUP_SIZE", long{bit_group}}, {"T_WORDS", long{bit_words}}}};
}

program_request mxm_config::values_request(const device_traits& device,
                                           const semiring_description& semiring) const {
  return with_subgroups(
      {.kernel = "mxm_values", .semiring = &semiring, .constants = {{"T_SLOTS", long{slots}}}},
      device, subgroup, subgroups_of_tiles);
}

program_request mxm_config::short_request(const semiring_description& semiring) const {
  return {.kernel = "mxm_short",
          .semiring = &semiring,
          .constants = {{"T_GROUP_SIZE", long{short_group}}, {"T_SLOTS", long{short_row}}}};
}

program_request mxm_config::ranges_request(const device_traits& device,
                                           const semiring_description& semiring) const {
  return with_subgroups(
      {.kernel = "mxm_ranges", .semiring = &semiring, .constants = {{"T_RANGE", long{range}}}},
      device, subgroup, subgroups_of_ranges);
}

program_request mxm_config::inner_request(const semiring_description& semiring) {
  return {.kernel = "mxm_inner", .semiring = &semiring};
}

}  // namespace tropic::detail
