// SPDX-License-Identifier: Apache-2.0
// expect: tropic: mxv.w, semiring, A, u. takes tropic::vectors w and u
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a, const std::vector<double>& u) {
  tropic::mxv(w, tropic::plus_times<double>{}, a, u);
}
