// SPDX-License-Identifier: Apache-2.0
#include "backends/kernel_info.hpp"

#include <algorithm>

namespace tropic::detail {

std::string_view name_of(work_unit unit) {
  switch (unit) {
    case work_unit::row: return "row";
    case work_unit::strip: return "strip";
    case work_unit::entry: return "entry";
    case work_unit::frontier: return "frontier";
  }
  return {};
}

const kernel_info* find_row(kernel_table kernels, std::string_view name) {
  const auto found = std::ranges::find(kernels, name, [](const kernel_info* k) { return k->name; });
  return found == kernels.end() ? nullptr : *found;
}

std::string names_of(kernel_table kernels, std::string_view separator) {
  std::string names;
  for (const kernel_info* kernel : kernels) {
    if (!names.empty()) names += separator;
    names += kernel->name;
  }
  return names;
}

}  // namespace tropic::detail
