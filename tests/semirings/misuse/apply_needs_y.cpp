// SPDX-License-Identifier: Apache-2.0
// expect: tropic: this operator uses y
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<double>& u) {
  tropic::apply(w, tropic::plus{}, u);
}
