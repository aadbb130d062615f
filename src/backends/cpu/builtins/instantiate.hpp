// SPDX-License-Identifier: Apache-2.0
#pragma once

// Instantiates every built-in semiring over one type and defines its look-up by name. A source
// file does so for one type, or for the signed and unsigned integers of one size, which share loops
// (loops_of, tropic/detail/cpu/kernel_arguments.hpp), so that they compile in parallel.

#include <optional>
#include <span>
#include <string_view>

#include <tropic/detail/describe_semiring.hpp>

namespace tropic::detail {

struct builtin_entry {
  std::string_view name;
  semiring_description (*describe)();  // without the kernels of matrices
  const cpu_mxm_kernel_table* mxm;
  const cpu_spmm_kernel_table* spmm;
};
template <semiring_type S>
semiring_description describe_builtin() {
  return describe_for_vectors(S{});
}
/// The one of that name, if there is one.
std::optional<semiring_description> find_among(std::span<const builtin_entry> entries,
                                               std::string_view name);

/// Among those over T.
template <class T>
std::optional<semiring_description> find_builtin(std::string_view name);

}  // namespace tropic::detail

#define TROPIC_DETAIL_INSTANTIATE(semiring_name) \
  template struct cpu_kernels<semiring_name<TROPIC_DETAIL_TYPE>>;
#define TROPIC_DETAIL_ENTRY(semiring_name)                                           \
  builtin_entry{#semiring_name, describe_builtin<semiring_name<TROPIC_DETAIL_TYPE>>, \
                &cpu_mxm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>::table,          \
                &cpu_spmm_kernels<semiring_name<TROPIC_DETAIL_TYPE>>::table},
#define TROPIC_INSTANTIATE_BUILTINS(for_each_semiring)                                          \
  namespace tropic::detail {                                                                    \
  for_each_semiring(TROPIC_DETAIL_INSTANTIATE) template <>                                      \
  std::optional<semiring_description> find_builtin<TROPIC_DETAIL_TYPE>(std::string_view name) { \
    static constexpr builtin_entry entries[] = {for_each_semiring(TROPIC_DETAIL_ENTRY)};        \
    return find_among(entries, name);                                                           \
  }                                                                                             \
  }
