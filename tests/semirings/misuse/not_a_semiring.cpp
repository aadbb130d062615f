// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the second argument is a semiring
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a, tropic::vector<double>& u) {
  tropic::mxv(w, tropic::plus{}, a, u);
}
