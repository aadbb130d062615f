// SPDX-License-Identifier: Apache-2.0
// expect: tropic: an operator belongs here, as plus.. or one that TROPIC_UNARY_OPERATOR or
// TROPIC_BINARY_OPERATOR declares
#include <tropic/tropic.hpp>
const auto product = [](double x, double y) { return x * y; };
using user_semiring = tropic::semiring<tropic::plus_monoid<double>, decltype(product)>;
void use(tropic::vector<double>& w, tropic::matrix<double>& a) {
  tropic::mxv(w, user_semiring{}, a, w);
}
