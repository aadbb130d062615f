// SPDX-License-Identifier: Apache-2.0
// expect: tropic: these values are not of the container.s value type, and nothing is converted here
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<float>& v) {
  return tropic::vector<double>::from_array(c, v);
}
