// SPDX-License-Identifier: Apache-2.0
// expect: tropic: k is an index of products; here are i and j
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::vector<double>& u) {
  tropic::ewise_add(w, tropic::first_j{}, u, u);
}
