// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a monoid belongs here, found an operator
#include <tropic/tropic.hpp>
using user_semiring = tropic::semiring<tropic::plus, tropic::times>;
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::mxv(w, user_semiring{}, a, w);
}
