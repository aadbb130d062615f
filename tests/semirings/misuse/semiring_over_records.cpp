// SPDX-License-Identifier: Apache-2.0
// expect: tropic: this operator computes with a whole record
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(step, (float, length), (int, hops));
void use(tropic::vector<step>& w, tropic::matrix<step>& a) {
  tropic::mxv(w, tropic::min_plus<step>{}, a, w);
}
