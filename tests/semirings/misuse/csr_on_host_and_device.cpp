// SPDX-License-Identifier: Apache-2.0
// expect: tropic: arrays of one call lie all on the host or all on the device
#include <tropic/tropic.hpp>
auto use(const tropic::context& c, tropic::device_array<int> d, const std::vector<double>& v) {
  return tropic::matrix<double>::from_csr(c, 1, 1, d, d, v);
}
