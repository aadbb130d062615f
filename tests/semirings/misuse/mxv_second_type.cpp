// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the semiring.s second type is not that of the product.s second operand
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a, tropic::vector<int>& u) {
  tropic::mxv(w, tropic::plus_times<double>{}, a, u);
}
