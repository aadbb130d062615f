// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a record is neither zero nor true, so this mask counts entries alone: write
// structure.mask
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(step, (float, length), (int, hops));
void use(tropic::vector<double>& w, tropic::vector<step>& seen) {
  tropic::apply(w, tropic::negate{}, w, {.mask = complement(seen)});
}
