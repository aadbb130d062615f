// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

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

template <class Compute>
bool reduce_kept(void* result, const monoid_description& monoid, const matrix_base& a,
                 Compute&& compute) {
  derived_copies& kept = *a.derived;
  const type_description& type = *monoid.add.z;
  {
    const std::lock_guard lock(kept.mutex);
    for (const known_extremum& known : kept.extrema)
      if (known.monoid == monoid.add.text && known.type == type.code) {
        std::memcpy(result, known.value.data(), type.size);
        return true;
      }
  }
  if (!compute()) return false;
  known_extremum found{std::string(monoid.add.text), type.code, {}};
  std::memcpy(found.value.data(), result, type.size);
  const std::lock_guard lock(kept.mutex);
  kept.extrema.push_back(std::move(found));
  return true;
}

}  // namespace

void reduce(vector_base& w, const monoid_description& monoid, matrix_factor factor,
            const output_options<vector_base>& options) {
  const auto& [a, transposed] = factor;
  backend& executor = common_backend("reduce", w, a);
  const vector_rule rule = rule_of("reduce", w, options);
  const index_t needed = transposed ? a.columns : a.rows;
  if (w.size != needed)
    throw usage_error("reduce: A is " + shape(a) + ", w has " + std::to_string(w.size) +
                      " entries, needs " + std::to_string(needed));
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
  const auto compute = [&] {
    return in_step("reduce", [&] { return executor.reduce(result, monoid, a); });
  };
  return is_extremum(monoid) ? reduce_kept(result, monoid, a, compute) : compute();
}

}  // namespace tropic::detail
