// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/peel.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

std::optional<peeling> peel(vector_base& level, const vector_base& count, const matrix_base& a) {
  constexpr const char* name = "cores";  // the algorithm that it is the loop of
  backend& executor = common_backend(name, level, count, a);
  if (a.rows != a.columns || level.size != a.rows || count.size != a.rows)
    throw usage_error(std::string(name) + ": A is " + shape(a) + ", the levels have " +
                      shape(level) + ", the counts " + shape(count) +
                      "; A must be square, with a level and a count per row");
  check_type(name, "the vector of levels", *level.type, describe(builtin_code<index_t>()));
  check_type(name, "the vector of counts", *count.type, describe(builtin_code<std::uint32_t>()));
  return in_step(name, [&] { return executor.peel(level, count, a); });
}

}  // namespace tropic::detail
