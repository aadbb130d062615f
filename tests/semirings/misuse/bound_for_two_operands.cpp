// SPDX-License-Identifier: Apache-2.0
// expect: tropic: bind_first and bind_second make an operator of one operand
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w) {
  tropic::ewise_add(w, tropic::bind_second(tropic::plus{}, 1.0), w, w);
}
