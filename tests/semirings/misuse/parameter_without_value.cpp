// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a parameter of this operator has no value: give one for each
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(affine, a* x + b, (double, a), (double, b));
void use(tropic::vector<double>& w) {
  tropic::apply(w, affine{0.85}, w);
}
