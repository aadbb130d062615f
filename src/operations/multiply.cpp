// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/backend.hpp"
#include "operations/checks.hpp"
#include "operations/step.hpp"
#include "plan/choose.hpp"

namespace tropic::detail {

namespace {

void check_kernel(const char* name, const matrix_base& a, const backend& executor,
                  std::string_view kernel) {
  if (executor.has_kernel(kernel)) return;
  throw usage_error(fmt::format("{}: no kernel '{}' on {}, which has {}", name, kernel,
                                a.context->name, fmt::join(executor.kernels(), " ")));
}

}  // namespace

void multiply(const char* name, vector_base& w, const semiring_description& semiring,
              const matrix_base& a, bool transposed, const vector_base& u, bool vector_first,
              const output_options<vector_base>& options) {
  backend& executor = common_backend(name, w, a, u);
  const vector_rule rule = rule_of(name, w, options);
  const product p{semiring, a, u, transposed, vector_first};
  const index_t input = p.rows_are_output() ? a.columns : a.rows;
  const std::string named =
      std::string(name) + ": A" + (transposed ? "'" : "") + " is " +
      (transposed ? std::to_string(a.columns) + "x" + std::to_string(a.rows) : shape(a));
  if (u.size != input)
    throw usage_error(named + ", u has " + std::to_string(u.size) + " entries, needs " +
                      std::to_string(input));
  if (w.size != p.output_size())
    throw usage_error(named + ", w has " + std::to_string(w.size) + " entries, needs " +
                      std::to_string(p.output_size()));
  check_type(name, "A", *a.type, vector_first ? semiring.x() : semiring.a());
  check_type(name, "u", *u.type, vector_first ? semiring.a() : semiring.x());
  check_type(name, "w", *w.type, semiring.z());
  check_has_no_position(name, "the semiring's add", semiring.add.add);
  static const plan free_choice;
  const plan& asked = options.forced ? *options.forced : free_choice;
  if (!asked.kernel.empty()) check_kernel(name, a, executor, asked.kernel);
  in_step(name, [&] {
    executor.multiply(w, p, rule,
                      asked.kernel.empty() ? choose_kernel(executor, p, rule, asked.expected_calls)
                                           : asked.kernel);
  });
}

plan plan_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                  const vector_base& u, bool vector_first, index_t expected_calls) {
  backend& executor = common_backend("inspect", a, u);
  return explain_choice(executor, {semiring, a, u, transposed, vector_first}, {}, expected_calls);
}

}  // namespace tropic::detail
