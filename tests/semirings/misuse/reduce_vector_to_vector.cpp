// SPDX-License-Identifier: Apache-2.0
// expect: tropic: reduce.w, monoid, A. takes a tropic::vector w
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w) {
  tropic::reduce(w, tropic::plus_monoid<double>{}, w);
}
