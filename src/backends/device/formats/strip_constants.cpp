// SPDX-License-Identifier: Apache-2.0
#include "backends/device/formats/strip_constants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tropic::detail {
namespace {

constexpr std::string_view shuffles = "NVIDIA, warp shuffles", local = "local memory alone";

constexpr strip_constants table[] = {
    {false, "Fermi (paper 002)", 12, 8, 0, 4, 0},
    {false, "Kepler (paper 002)", 6, 4, 0, 4, 0},
    {false, shuffles, 16, 16, 0, 4, 0},
    {false, local, 8, 4, 0, 1, 0},
    {true, "Kepler (paper 002)", 16, 16, 8, 4, 0},
    {true, shuffles, 16, 16, 8, 4, 2},
    {true, local, 16, 16, 8, 1, 2},
};

}  // namespace

std::span<const strip_constants> all_strip_constants() {
  return table;
}

const strip_constants& strip_constants_of(bool padded, const device_traits& device) {
  const std::string_view architecture =
      device.exchange == subgroup_exchange::shuffle ? shuffles : local;
  return *std::ranges::find_if(table, [&](const strip_constants& row) {
    return row.architecture == architecture && row.padded == padded;
  });
}

std::string strip_constants_table() {
  std::string text =
      "| kernel | architecture | height, 4 bytes | height, 8 bytes | slots | subgroups | overhead "
      "|\n"
      "|---|---|---|---|---|---|---|\n";
  const auto or_none = [](std::uint32_t n) {
    return n == 0 ? std::string("-") : std::to_string(n);
  };
  for (const strip_constants& row : table)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                        row.padded ? "cmrs_padded" : "cmrs", row.architecture, row.height_4,
                        row.height_8, or_none(row.slots), row.subgroups, or_none(row.overhead));
  return text;
}

}  // namespace tropic::detail
