// SPDX-License-Identifier: Apache-2.0
// expect: tropic: indices and offsets are a std::vector, std::span or tropic::array_view of
// integers of 16, 32 or 64 bits
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<bool>& row, const std::vector<int>& column,
         const std::vector<double>& v) {
  return tropic::matrix<double>::from_entries(c, 2, 2, row, column, v);
}
