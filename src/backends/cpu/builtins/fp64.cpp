// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/builtins/instantiate.hpp"

#define TROPIC_DETAIL_TYPE double
TROPIC_INSTANTIATE_BUILTINS(TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS)
#undef TROPIC_DETAIL_TYPE
