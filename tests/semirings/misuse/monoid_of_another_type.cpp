// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the monoid is over another type
#include <tropic/tropic.hpp>
double use(tropic::vector<double>& u) {
  return tropic::reduce(tropic::plus_monoid<int>{}, u);
}
