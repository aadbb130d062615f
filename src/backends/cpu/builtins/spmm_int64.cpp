// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/builtins/instantiate_spmm.hpp"

#define TROPIC_DETAIL_TYPE std::int64_t
TROPIC_INSTANTIATE_SPMM(TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::uint64_t
TROPIC_INSTANTIATE_SPMM(TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS)
#undef TROPIC_DETAIL_TYPE

namespace tropic::detail {
TROPIC_DETAIL_SPMM_OF_INDICES(, any_monoid)
TROPIC_DETAIL_SPMM_OF_INDICES(, minimum_monoid)
}  // namespace tropic::detail
