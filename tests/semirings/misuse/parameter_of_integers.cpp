// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a floating value is given to an integer parameter
#include <tropic/tropic.hpp>
TROPIC_UNARY_OPERATOR(below, x < k, (std::int64_t, k));
void use(tropic::vector<double>& w) {
  tropic::select(w, below{2.5}, w);
}
