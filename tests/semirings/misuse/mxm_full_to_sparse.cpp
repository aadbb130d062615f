// SPDX-License-Identifier: Apache-2.0
// expect: tropic: with a full matrix, mxm.c, semiring, A, B. takes a tropic::full_matrix c
#include <tropic/tropic.hpp>
void use(tropic::matrix<double>& c, const tropic::matrix<double>& a,
         const tropic::full_matrix<double>& b) {
  tropic::mxm(c, tropic::plus_times<double>{}, a, b);
}
