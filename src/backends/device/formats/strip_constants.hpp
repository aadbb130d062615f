// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tuning constants of the kernels over strips of rows, one table for all architectures: the paper's
// beside ours, so that they can be printed and compared.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "backends/device/runtime.hpp"

namespace tropic::detail {

struct strip_constants {
  bool padded;  // cmrs_padded, else cmrs
  std::string_view architecture;
  std::uint32_t height_4, height_8;  // rows a strip, for values of 4 bytes and of 8
  std::uint32_t slots;               // M; 0: a slot a lane
  std::uint32_t subgroups;           // of a work-group
  std::uint32_t overhead;            // words for each entry at most; 0: nothing is padded
};

std::span<const strip_constants> all_strip_constants();
/// Those of strips on a device, padded or not.
const strip_constants& strip_constants_of(bool padded, const device_traits&);
/// All of them, as a Markdown table.
std::string strip_constants_table();

}  // namespace tropic::detail
