// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a parameter of scaled is called x or y
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(scaled, x* y, (double, x));
