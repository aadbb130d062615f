// SPDX-License-Identifier: Apache-2.0
// expect: tropic: an operator belongs here, found a monoid or a semiring: write plus
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w) {
  tropic::ewise_add(w, tropic::plus_monoid<double>{}, w, w);
}
