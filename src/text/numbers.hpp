// SPDX-License-Identifier: Apache-2.0
#pragma once

// Formats numbers and tables for people.

#include <string>
#include <vector>

#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// 1234567 as 1,234,567.
std::string grouped(index_t number);
/// The same for the digits of an integer of any type.
std::string grouped(std::string digits);
/// "1.25 ms", "3.1 s".
std::string duration(double seconds);
/// Lines of right-aligned columns; the first row is the heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tropic::detail
