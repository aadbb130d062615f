// SPDX-License-Identifier: Apache-2.0
// expect: tropic: k is an index of products; use i and j here
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<double>& u) {
  tropic::ewise_add(w, tropic::first_j{}, u, u);
}
