// SPDX-License-Identifier: Apache-2.0
#include "backends/device/products/mxm.hpp"

#include <algorithm>

namespace tropic::detail {

mxm_config::mxm_config(const device_traits& device, const mxm_limits& limits,
                       std::size_t value_bytes)
    : table_group(limits.table_group),
      bit_group(limits.bit_group),
      bit_words(limits.bit_words),
      few(limits.few),
      some(limits.some),
      subgroup(device.subgroup_size),
      slots(limits.slots) {
  while (table_group > device.group_limit) table_group /= 2;
  few.lanes = std::min(few.lanes, table_group);
  some.lanes = std::min(some.lanes, table_group);
  while (bit_group > device.group_limit) bit_group /= 2;
  // CUDA's limit for arrays of fixed size.
  const std::size_t local = std::min<std::size_t>(device.local_bytes, 48 << 10);
  while (bit_words > bit_group && sizeof(std::uint32_t) * (bit_words + bit_group) > local)
    bit_words /= 2;
  const auto tile_bytes = [&] {
    return slots * (value_bytes + 5) + std::size_t{subgroup} * 7 * sizeof(std::uint32_t) + 64;
  };
  while (slots > 32 && tile_bytes() > local) slots /= 2;
  tile = std::min(limits.tile, slots);
}

program_request mxm_config::table_request(const mxm_limits::table& table) const {
  return {.kernel = "mxm_pattern",
          .constants = {{"T_GROUP_SIZE", long{table_group}},
                        {"T_LANES", long{table.lanes}},
                        {"T_SLOTS", long{table.slots}}}};
}

program_request mxm_config::bits_request() const {
  return {.kernel = "mxm_bits",
          .constants = {{"T_GROUP_SIZE", long{bit_group}}, {"T_WORDS", long{bit_words}}}};
}

program_request mxm_config::values_request(const semiring_description& semiring) const {
  return {
      .kernel = "mxm_values",
      .semiring = &semiring,
      .constants = {{"T_SUBGROUP", long{subgroup}}, {"T_SUBGROUPS", 1}, {"T_SLOTS", long{slots}}}};
}

program_request mxm_config::inner_request(const semiring_description& semiring) {
  return {.kernel = "mxm_inner", .semiring = &semiring};
}

}  // namespace tropic::detail
