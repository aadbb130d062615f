// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instantiates every built-in semiring over one type and defines its look-up by name. A source
// file does so for one type, or for the signed and unsigned integers of one size, which share loops
// (loops_of, tropic/detail/cpu_side.hpp), so that they compile in parallel.

#include <optional>

#include <tropic/detail/describe_semiring.hpp>

namespace tropic::detail {
template <class T>
std::optional<semiring_description> find_builtin(std::string_view name);
}

#define TROPIC_DETAIL_INSTANTIATE(semiring_name) \
  template struct cpu_kernels<semiring_name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_DETAIL_FIND(semiring_name)                                                   \
  if (name == #semiring_name) {                                                             \
    semiring_description found = describe_for_vectors(semiring_name<TROPIC_DETAIL_TYPE>{}); \
    found.name = #semiring_name;                                                            \
    found.cpu_mxm_kernels = &cpu_mxm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>::table;     \
    found.cpu_spmm_kernels = &cpu_spmm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>::table;   \
    return found;                                                                           \
  }
#define TROPIC_INSTANTIATE_BUILTINS(each)                                                       \
  namespace tropic::detail {                                                                    \
  each(TROPIC_DETAIL_INSTANTIATE) template <>                                                   \
  std::optional<semiring_description> find_builtin<TROPIC_DETAIL_TYPE>(std::string_view name) { \
    each(TROPIC_DETAIL_FIND) return std::nullopt;                                               \
  }                                                                                             \
  }
