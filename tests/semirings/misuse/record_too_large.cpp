// SPDX-License-Identifier: Apache-2.0
// expect: tropic: a record holds at most 64 bytes
// more: of clang, the size of the record in its description
#include <tropic/tropic.hpp>
TROPIC_VALUE_TYPE(wide, (double, a), (double, b), (double, c), (double, d), (double, e),
                  (double, f), (double, g), (double, h), (double, i));
const auto size = tropic::describe<wide>().size;
