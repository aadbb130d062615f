// SPDX-License-Identifier: Apache-2.0
#include <tropic/semirings/operators.hpp>

namespace tropic::detail {

#define TROPIC_DETAIL_LOOP(op, T) template struct bulk_loop<op, T, T, T>;
TROPIC_DETAIL_FOR_EACH_COMPILED_LOOP(TROPIC_DETAIL_LOOP)
#undef TROPIC_DETAIL_LOOP

}  // namespace tropic::detail
