// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a floating literal is no value of an integer type
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(half, 0.5);
void use(tropic::vector<int>& w, tropic::vector<int>& u) {
  tropic::apply(w, half{}, u);
}
