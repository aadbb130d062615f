// SPDX-License-Identifier: Apache-2.0
// expect: tropic: the operator of a monoid has no parameters
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(affine, a* x + b, (double, a), (double, b));
namespace {
TROPIC_MONOID(affine_monoid, affine, 0);
}
double use(tropic::vector<double>& u) {
  return tropic::reduce(affine_monoid<double>{}, u);
}
