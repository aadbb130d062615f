// SPDX-License-Identifier: Apache-2.0
#pragma once

// The built-in semirings' CPU kernels are in the library, a source file for one or two types
// (src/backends/cpu/builtins): programs that use them instantiate nothing.

#include <tropic/detail/cpu/kernels.hpp>
#include <tropic/detail/cpu/mxm_table.hpp>
#include <tropic/detail/cpu/spmm_table.hpp>
#include <tropic/semirings/builtins.hpp>

// m(semiring) for every built-in over one type.
#define TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(m) \
  TROPIC_FOR_EACH_NUMERIC_SEMIRING(m)          \
  TROPIC_FOR_EACH_BOOLEAN_SEMIRING(m) TROPIC_FOR_EACH_POSITIONAL_SEMIRING(m)
#define TROPIC_FOR_EACH_SEMIRING_OF_BOOLEANS(m) \
  TROPIC_FOR_EACH_BOOLEAN_SEMIRING(m) TROPIC_FOR_EACH_POSITIONAL_SEMIRING(m)

namespace tropic::detail {

#define TROPIC_DETAIL_EXTERN(name)                                             \
  extern template struct TROPIC_API cpu_kernels<name<TROPIC_DETAIL_TYPE>>;     \
  extern template struct TROPIC_API cpu_mxm_kernels<name<TROPIC_DETAIL_TYPE>>; \
  extern template struct TROPIC_API cpu_spmm_kernels<name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_DETAIL_TYPE bool
TROPIC_FOR_EACH_SEMIRING_OF_BOOLEANS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::int8_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::int16_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::int32_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::int64_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::uint8_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::uint16_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::uint32_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE std::uint64_t
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE float
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#define TROPIC_DETAIL_TYPE double
TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_EXTERN)
#undef TROPIC_DETAIL_TYPE
#undef TROPIC_DETAIL_EXTERN

}  // namespace tropic::detail
