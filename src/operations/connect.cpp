// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/connect.hpp>

#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

std::optional<index_t> connect(vector_base& label, const matrix_base& a) {
  constexpr const char* name = "components";  // the algorithm that it is the loop of
  backend& executor = common_backend(name, label, a);
  if (a.rows != a.columns || label.size != a.rows)
    throw usage_error(std::string(name) + ": A is " + shape(a) + ", the labels have " +
                      shape(label) + "; A must be square, with a label per row");
  check_type(name, "the vector of labels", *label.type, describe(builtin_code<index_t>()));
  return in_step(name, [&] { return executor.connect(label, a); });
}

}  // namespace tropic::detail
