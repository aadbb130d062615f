// SPDX-License-Identifier: Apache-2.0
#include "backends/kernels/strip_constants.hpp"

#include <fmt/format.h>

namespace tropic::detail {
namespace {

constexpr std::string_view shuffles = "NVIDIA, warp shuffles", local = "local memory alone";

constexpr strip_constants table[] = {
    {"cmrs", "Fermi (paper 002)", 12, 8, 0, 4, 0},
    {"cmrs", "Kepler (paper 002)", 6, 4, 0, 4, 0},
    {"cmrs", shuffles, 16, 16, 0, 4, 0},
    {"cmrs", local, 8, 4, 0, 1, 0},
    {"cmrs_padded", "Kepler (paper 002)", 16, 16, 8, 4, 0},
    {"cmrs_padded", shuffles, 16, 16, 8, 4, 2},
    {"cmrs_padded", local, 16, 16, 8, 1, 2},
};

}  // namespace

std::span<const strip_constants> all_strip_constants() {
  return table;
}

const strip_constants& strip_constants_of(std::string_view kernel, const device_traits& device) {
  const std::string_view own = device.exchange == subgroup_exchange::shuffle ? shuffles : local;
  const strip_constants* found = nullptr;
  for (const strip_constants& row : table)
    if (row.architecture == own && (row.kernel == kernel || found == nullptr)) found = &row;
  return *found;
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
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.kernel, row.architecture,
                        row.height_4, row.height_8, or_none(row.slots), row.subgroups,
                        or_none(row.overhead));
  return text;
}

}  // namespace tropic::detail
