// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a record holds at most 64 bytes
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(wide, (double, a), (double, b), (double, c), (double, d), (double, e),
                  (double, f), (double, g), (double, h), (double, i));
const auto size = tropic::describe<wide>().size;
