// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the semiring.s first type is not that of the product.s first operand
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<float>& a, tropic::vector<double>& u) {
  tropic::mxv(w, tropic::plus_times<double>{}, a, u);
}
