// SPDX-License-Identifier: Apache-2.0
// expect: tropic: an operator belongs here, as plus.. or one that TROPIC_UNARY_OPERATOR or
// TROPIC_BINARY_OPERATOR declares
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w) {
  tropic::ewise_multiply(
      w, [](double x, double y) { return x * y; }, w, w);
}
