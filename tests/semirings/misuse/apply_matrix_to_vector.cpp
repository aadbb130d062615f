// SPDX-License-Identifier: Apache-2.0
// expect: tropic: apply.w, operator, u. takes two tropic::vectors or two tropic::matrices
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::apply(w, tropic::negate{}, a);
}
