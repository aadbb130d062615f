// SPDX-License-Identifier: Apache-2.0
// expect: tropic: this operator computes with a whole record; a record takes part by its fields
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(step, (float, length), (int, hops));
step use(tropic::vector<step>& u) {
  return tropic::reduce(tropic::minimum_monoid<step>{}, u);
}
