// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/triangles.hpp>

#include <string>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

std::optional<std::int64_t> count_triangles(const matrix_base& a) {
  constexpr const char* name = "triangles";  // the algorithm that it is a step of
  backend& executor = common_backend(name, a);
  if (a.rows != a.columns)
    throw usage_error(std::string(name) + ": A is " + shape(a) + "; it must be square");
  return in_step(name, [&] { return executor.count_triangles(a); });
}

}  // namespace tropic::detail
