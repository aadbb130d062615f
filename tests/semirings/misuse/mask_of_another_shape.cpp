// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the mask of a vector is a vector, that of a matrix a matrix
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::apply(w, tropic::negate{}, w, {.mask = a});
}
