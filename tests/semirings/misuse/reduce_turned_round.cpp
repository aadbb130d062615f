// SPDX-License-Identifier: Apache-2.0
// expect: tropic: reduce.monoid, u. takes a monoid and then
#include <tropic/tropic.hpp>
double use(tropic::vector<double>& u) {
  return tropic::reduce(u, tropic::plus_monoid<double>{});
}
