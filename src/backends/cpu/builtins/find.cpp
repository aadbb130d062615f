// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/builtins/instantiate.hpp"

namespace tropic {

namespace detail {
#define TROPIC_DETAIL_DECLARE(T) \
  template <>                    \
  std::optional<semiring_description> find_builtin<T>(std::string_view);
TROPIC_FOR_EACH_NUMBER_TYPE(TROPIC_DETAIL_DECLARE)
TROPIC_DETAIL_DECLARE(bool)
#undef TROPIC_DETAIL_DECLARE

std::optional<semiring_description> find_among(std::span<const builtin_entry> entries,
                                               std::string_view name) {
  for (const builtin_entry& entry : entries)
    if (name == entry.name) {
      semiring_description found = entry.describe();
      found.name = entry.name;
      found.cpu_mxm_kernels = entry.mxm;
      found.cpu_spmm_kernels = entry.spmm;
      return found;
    }
  return std::nullopt;
}
}  // namespace detail

std::span<const std::string_view> builtin_semiring_names() {
#define TROPIC_DETAIL_NAME(name) #name,
  static constexpr std::string_view names[] = {
      TROPIC_FOR_EACH_SEMIRING_OF_NUMBERS(TROPIC_DETAIL_NAME)};
#undef TROPIC_DETAIL_NAME
  return names;
}

std::optional<semiring_description> builtin_semiring(std::string_view name, type_code type) {
  if (type == type_code::record) return std::nullopt;
  return with_builtin_type(type, [&]<class T>() { return detail::find_builtin<T>(name); });
}

}  // namespace tropic
