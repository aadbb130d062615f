// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.hpp"
#include "operations/checks.hpp"

namespace tropic::detail {

void multiply(const char* name, vector_base& w, const semiring_description& semiring,
              const matrix_base& a, bool transposed, const vector_base& u, bool vector_first,
              const output_options<vector_base>& options) {
  backend& executor = common_backend(name, w, a, u);
  const vector_rule rule = rule_of(name, w, options);
  const product p{semiring, a, u, transposed, vector_first};
  const index_t input = p.rows_are_output() ? a.columns : a.rows;
  const std::string named = std::string(name) + ": A" + (transposed ? "'" : "") + " is " +
                            (transposed ? std::to_string(a.columns) + "x" + std::to_string(a.rows)
                                        : shape(a));
  if (u.size != input)
    throw usage_error(named + ", u has " + std::to_string(u.size) + " entries, needs " +
                      std::to_string(input));
  if (w.size != p.output_size())
    throw usage_error(named + ", w has " + std::to_string(w.size) + " entries, needs " +
                      std::to_string(p.output_size()));
  check_type(name, "A", *a.type, vector_first ? semiring.x() : semiring.a());
  check_type(name, "u", *u.type, vector_first ? semiring.a() : semiring.x());
  check_type(name, "w", *w.type, semiring.z());
  static const plan free_choice;
  const plan& chosen = options.forced ? *options.forced : free_choice;
  if (!chosen.kernel.empty()) {
    bool known = false;
    for (const std::string_view kernel : executor.kernels()) known = known || kernel == chosen.kernel;
    if (!known) {
      std::string message = std::string(name) + ": no kernel '" + std::string(chosen.kernel) +
                            "' on " + a.context->name + ", which has";
      for (const std::string_view kernel : executor.kernels()) message += " " + std::string(kernel);
      throw usage_error(message);
    }
  }
  executor.multiply(w, p, rule, chosen);
}

plan plan_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                  const vector_base& u, bool vector_first) {
  backend& executor = common_backend("inspect", a, u);
  return executor.plan_product({semiring, a, u, transposed, vector_first}, {});
}

}  // namespace tropic::detail
