// SPDX-License-Identifier: Apache-2.0
// expect: tropic: ewise_multiply.w, operator, u, v. takes three
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::ewise_multiply(w, tropic::times{}, w, a);
}
