// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "backends/reference/backend.hpp"

namespace tropic::detail {

void reference_backend::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  const std::size_t bytes = u.type->size;
  const auto* from = static_cast<const std::byte*>(u.values->host());
  const auto* positions = static_cast<const std::uint32_t*>(order->host());
  auto* values = static_cast<std::byte*>(to.values->host_write());
  for (std::size_t k = 0; k < static_cast<std::size_t>(to.size); ++k)
    std::memcpy(values + k * bytes, from + positions[k] * bytes, bytes);
}

}  // namespace tropic::detail
