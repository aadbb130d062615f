// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a parameter of scaled is called x or y, which are the operands, or t_
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(scaled, x* t_one, (double, t_one));
