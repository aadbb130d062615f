// SPDX-License-Identifier: Apache-2.0
// expect: tropic: indices and offsets are a std::vector, std::span or tropic::array_view of
// integers of 16, 32 or 64 bits
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<double>& v, const std::vector<int>& columns) {
  return tropic::matrix<double>::from_csr(c, 1, 1, v, columns, v);
}
