// SPDX-License-Identifier: Apache-2.0
// expect: tropic: t_sqrt takes fp32 or fp64
#include <tropic/tropic.hpp>
void use(tropic::vector<int>& w, tropic::vector<int>& u) {
  tropic::apply(w, tropic::square_root{}, u);
}
