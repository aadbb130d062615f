// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a monoid belongs here, as plus_monoid<double>
#include <tropic/tropic.hpp>
double use(tropic::vector<double>& u) {
  return tropic::reduce([](double x, double y) { return x + y; }, u);
}
