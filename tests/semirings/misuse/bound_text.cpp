// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a bound value is a bool, a number or a record
#include <tropic/tropic.hpp>
void use(tropic::vector<double>& w) {
  tropic::apply(w, tropic::bind_second(tropic::plus{}, "1"), w);
}
