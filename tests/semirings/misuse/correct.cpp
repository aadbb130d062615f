// SPDX-License-Identifier: Apache-2.0
// expect: nothing, it compiles
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(fine, x > y ? x - y : y - x);
void use(tropic::vector<double>& w, tropic::matrix<double>& a, tropic::vector<double>& u) {
  tropic::mxv(w, tropic::semiring<tropic::minimum_monoid<double>, fine>{}, a, u);
  tropic::apply(w, tropic::bind_second(tropic::plus{}, 1.0), u);
  tropic::reduce(tropic::plus_monoid<double>{}, u);
}
