// SPDX-License-Identifier: Apache-2.0
// expect: tropic: bit operators take integers
// more: the bits of a double
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<double>& u) {
  tropic::ewise_add(w, tropic::bit_or{}, u, u);
}
