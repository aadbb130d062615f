// SPDX-License-Identifier: Apache-2.0
// expect: tropic: these values are not of the container.s value type, and nothing is converted here
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, const std::vector<int>& v) {
  return tropic::matrix<double>::from_csr(c, 1, 1, v, v, v);
}
