// SPDX-License-Identifier: Apache-2.0
// expect: tropic: t_make takes one value for each field
// more: the field that is left out
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(two, (double, a), (double, b));
TROPIC_BINARY_OPERATOR(one_of_two, t_make(x.a));
void use(tropic::vector<two>& w, tropic::vector<two>& u) {
  tropic::apply(w, one_of_two{}, u);
}
