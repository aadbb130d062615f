// SPDX-License-Identifier: Apache-2.0
#include "text/numbers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tropic::detail {

std::string grouped(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > start + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string grouped(index_t number) {
  return grouped(std::to_string(number));
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.3g} s", seconds);
  return fmt::format("{:.0f} s", seconds);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    // The first column holds names.
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += c == 0 ? fmt::format("  {:<{}}", row[c], width[c])
                     : fmt::format("  {:>{}}", row[c], width[c]);
    text += line + "\n";
  }
  return text;
}

}  // namespace tropic::detail
