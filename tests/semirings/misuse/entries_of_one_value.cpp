// SPDX-License-Identifier: Apache-2.0
// expect: tropic: values are a std::vector, std::span or tropic::array_view of the container.s
// value type
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<int>& at) {
  return tropic::vector<double>::from_entries(c, 2, at, 1.0);
}
