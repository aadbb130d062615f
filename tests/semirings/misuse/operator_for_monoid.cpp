// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a monoid belongs here, found an operator, which has no identity: write
// plus_monoid<double>
#include <tropic/tropic.hpp>
double use(tropic::vector<double>& u) {
  return tropic::reduce(tropic::plus{}, u);
}
