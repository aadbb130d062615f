// SPDX-License-Identifier: Apache-2.0
// expect: tropic: .* is not in the operator language
#include <tropic/tropic.hpp>
TROPIC_BINARY_OPERATOR(bad, x += y);
