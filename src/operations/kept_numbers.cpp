// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/kept_numbers.hpp>

#include "containers/derived_copies.hpp"

namespace tropic::detail {

double kept_number(const matrix_base& a, std::string_view name,
                   const std::function<double()>& compute) {
  scalar_bytes value;
  kept_value(*a.derived, name, value, [&](scalar_bytes& to) {
    to = scalar_bytes::of(compute());
    return true;
  });
  return value.as<double>();
}

}  // namespace tropic::detail
