// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a monoid belongs here, found an operator
#include <tropic/tropic.hpp>
using ring = tropic::semiring<tropic::plus, tropic::times>;
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::mxv(w, ring{}, a, w);
}
