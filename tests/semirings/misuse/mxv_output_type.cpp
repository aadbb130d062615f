// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the output does not hold the semiring.s result type
#include <tropic/tropic.hpp>
void use(tropic::vector<float>& w, tropic::matrix<double>& a, tropic::vector<double>& u) {
  tropic::mxv(w, tropic::plus_times<double>{}, a, u);
}
