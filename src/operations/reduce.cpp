// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>

#include "containers/derived_copies.hpp"
#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

// Minima and maxima of a matrix are kept with it: algorithms ask for them in every call.
bool is_extremum(const monoid_description& monoid) {
  return (monoid.add.text == minimum::tropic_text || monoid.add.text == maximum::tropic_text) &&
         monoid.add.z->code != type_code::record;
}

}  // namespace

void reduce(vector_base& w, const monoid_description& monoid, matrix_factor factor,
            const output_options<vector_base>& options) {
  const matrix_base& a = factor.matrix;
  const bool transposed = factor.transposed;
  backend& executor = common_backend("reduce", w, a);
  const vector_rule rule = rule_of("reduce", w, options);
  const index_t needed = transposed ? a.columns : a.rows;
  if (w.size != needed)
    throw usage_error("reduce: A is " + shape(a) + ", w has size " + std::to_string(w.size) +
                      ", needs " + std::to_string(needed));
  check_type("reduce", "A", *a.type, *monoid.add.x);
  check_type("reduce", "w", *w.type, *monoid.add.z);
  check_has_no_position("reduce", "the monoid", monoid.add);
  in_step("reduce", [&] { executor.reduce(w, monoid, a, transposed, rule); });
}

bool reduce(void* result, const monoid_description& monoid, const vector_base& u) {
  check_type("reduce", "u", *u.type, *monoid.add.x);
  check_has_no_position("reduce", "the monoid", monoid.add);
  backend& executor = common_backend("reduce", u);
  return in_step("reduce", [&] { return executor.reduce(result, monoid, u); });
}
bool reduce(void* result, const monoid_description& monoid, const matrix_base& a) {
  check_type("reduce", "A", *a.type, *monoid.add.x);
  check_has_no_position("reduce", "the monoid", monoid.add);
  backend& executor = common_backend("reduce", a);
  const auto compute = [&](void* to) {
    return in_step("reduce", [&] { return executor.reduce(to, monoid, a); });
  };
  if (!is_extremum(monoid)) return compute(result);
  std::string name(monoid.add.text);
  name.append(" of ").append(monoid.add.z->name);
  scalar_bytes value;
  const bool any =
      kept_value(*a.derived, name, value, [&](scalar_bytes& to) { return compute(to.data()); });
  std::memcpy(result, value.data(), monoid.add.z->size);
  return any;
}

}  // namespace tropic::detail
