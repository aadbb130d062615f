// SPDX-License-Identifier: Apache-2.0
// expect: tropic: this operation keeps values as they are, so its output and its operands hold one
// type; apply.w, identity.., u. converts
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<float>& u) {
  tropic::select(w, tropic::nonzero{}, u);
}
