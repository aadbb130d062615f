// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a monoid has two values and no position
#include <tropic/tropic.hpp>
namespace {
TROPIC_MONOID(place_monoid, tropic::row_index, 0);
}
double use(tropic::vector<double>& u) {
  return tropic::reduce(place_monoid<double>{}, u);
}
