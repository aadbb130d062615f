// SPDX-License-Identifier: Apache-2.0
// expect: tropic: an accumulator has two values and no position
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<double>& u) {
  tropic::apply(w, tropic::negate{}, u, {.accumulate = tropic::row_index{}});
}
