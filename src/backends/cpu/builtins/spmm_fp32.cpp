// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/builtins/instantiate_spmm.hpp"

#define TROPIC_DETAIL_TYPE float
TROPIC_INSTANTIATE_SPMM(TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS)
#undef TROPIC_DETAIL_TYPE
