// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/kept_numbers.hpp>

#include <mutex>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

double kept_number(const matrix_base& a, std::string_view name,
                   const std::function<double()>& compute) {
  derived_copies& kept = *a.derived;
  {
    const std::lock_guard lock(kept.mutex);
    if (const auto known = kept.numbers.find(name); known != kept.numbers.end())
      return known->second;
  }
  const double found = compute();
  const std::lock_guard lock(kept.mutex);
  kept.numbers.emplace(name, found);
  return found;
}

}  // namespace tropic::detail
