// SPDX-License-Identifier: Apache-2.0

#include "backends/device/vectors/vector_operations.hpp"

namespace tropic::detail {

void vector_operations::gather(vector_base& to, const vector_base& u, const buffer_pointer& order) {
  const auto n = static_cast<std::uint64_t>(to.size);
  const auto bytes = static_cast<std::uint32_t>(u.type->size);
  const void *by = device_.read(order), *from = device_.read(u.values);
  void* values = device_.write(to.values);
  const kernel_argument list[] = {n, by, from, values, bytes};
  device_.launch_over(n, "gather", *device_.runtime().program({.kernel = "listed"}),
                      "t_gather_values", list);
}

}  // namespace tropic::detail
