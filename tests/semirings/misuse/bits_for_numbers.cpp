// SPDX-License-Identifier: Apache-2.0
// expect: tropic: values are a std::vector, std::span or tropic::array_view of the container.s
// value type
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<bool>& v) {
  return tropic::vector<double>::from_array(c, v);
}
