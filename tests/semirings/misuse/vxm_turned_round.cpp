// SPDX-License-Identifier: Apache-2.0
// expect: tropic: vxm.w, semiring, u, A. takes tropic::vectors w and u
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::vxm(w, tropic::plus_times<double>{}, a, w, {.accumulate = tropic::plus{}});
}
