// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a list of positions holds integers; a bool for each position is a mask
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, const std::vector<bool>& list) {
  tropic::assign(w, w, list);
}
