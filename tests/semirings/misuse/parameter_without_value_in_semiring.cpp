// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a parameter of this operator has no value: give one for each
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(affine, a* x + b, (double, a), (double, b));
using user_semiring = tropic::semiring<tropic::plus_monoid<double>, affine>;
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::mxv(w, user_semiring{}, a, w);
}
