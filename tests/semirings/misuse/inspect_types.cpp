// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the semiring.s first type is not that of the product.s first operand
#include <tropic/tropic.hpp>
void use(tropic::matrix<double>& a, tropic::vector<double>& u) {
  tropic::inspect(tropic::plus_times<float>{}, a, u, 100);
}
