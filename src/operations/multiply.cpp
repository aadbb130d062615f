// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/backend.hpp"
#include "operations/checks.hpp"
#include "operations/step.hpp"
#include "plan/hot_copy.hpp"
#include "plan/planner.hpp"

namespace tropic::detail {

namespace {

void check_kernel(const char* name, const matrix_base& a, const backend& executor,
                  std::string_view kernel) {
  if (executor.has_kernel(kernel)) return;
  throw usage_error(fmt::format("{}: no kernel '{}' on {}, which has {}", name, kernel,
                                a.context->name, fmt::join(executor.kernels(), " ")));
}

// The copy of a matrix with its columns by their number of entries, made once a version.
std::shared_ptr<const hot_columns> hot_columns_of(backend& executor, const matrix_base& a) {
  const std::lock_guard lock(a.derived->mutex);
  if (a.derived->hot != nullptr) return a.derived->hot;
  a.derived->building = true;
  struct guard {
    derived_copies& copies;
    ~guard() { copies.building = false; }
  } built{*a.derived};
  a.derived->hot = std::make_shared<const hot_columns>(make_hot_columns(executor, a));
  remember_derived(*a.context, a.derived);
  return a.derived->hot;
}

// The same product with columns, and u, in that order.
void multiply_hot(backend& executor, vector_base& w, const product& p, const vector_rule& rule,
                  std::string_view kernel) {
  std::shared_ptr<const hot_columns> hot;
  try {
    hot = hot_columns_of(executor, p.matrix);
  } catch (const out_of_memory&) {  // a faster way is no reason to fail
    p.matrix.context->log("hot columns: no memory for the copy; the product runs without");
    return executor.multiply(w, p, rule, kernel);
  }
  vector_base u = p.input;
  u.values = make_buffer(p.matrix.context, p.input.values->bytes());
  executor.gather(u, p.input, hot->order);
  executor.multiply(w, {p.semiring, *hot->matrix, u, p.transposed, p.vector_first}, rule, kernel);
}

bool can_be_hot(const product& p) {
  return p.rows_are_output() && p.input.storage == vector_storage::full &&
         !p.semiring.multiply.syntax->positional() && !p.semiring.first_product_wins &&
         p.matrix.nnz > 0;
}

// By the plan that was given, or that the matrix was inspected for, or by what the call shows.
void run(backend& executor, vector_base& w, const product& p, const vector_rule& rule,
         const plan* asked) {
  std::shared_ptr<const plan> remembered;
  if ((asked == nullptr || asked->kernel.empty()) && p.matrix.derived->has_plans) {
    remembered = remembered_plan(p, executor.features(p, rule));
    if (remembered != nullptr) asked = remembered.get();
  }
  if (asked != nullptr && asked->hot_columns && can_be_hot(p))
    return multiply_hot(executor, w, p, rule, asked->kernel);
  executor.multiply(w, p, rule,
                    asked != nullptr && !asked->kernel.empty()
                        ? asked->kernel
                        : choose_kernel(executor, p, rule, asked ? asked->expected_calls : 1));
}

}  // namespace

void multiply(const char* name, vector_base& w, const semiring_description& semiring,
              const matrix_base& a, bool transposed, const vector_base& u, bool vector_first,
              const output_options<vector_base>& options) {
  backend& executor = common_backend(name, w, a, u);
  const vector_rule rule = rule_of(name, w, options);
  const product p{semiring, a, u, transposed, vector_first};
  const index_t input = p.rows_are_output() ? a.columns : a.rows;
  const auto check_size = [&](const char* vector, index_t found, index_t needed) {
    if (found == needed) return;
    throw usage_error(fmt::format("{}: A{} is {}x{}, {} has {} entries, needs {}", name,
                                  transposed ? "'" : "", transposed ? a.columns : a.rows,
                                  transposed ? a.rows : a.columns, vector, found, needed));
  };
  check_size("u", u.size, input);
  check_size("w", w.size, p.output_size());
  check_type(name, "A", *a.type, vector_first ? semiring.x() : semiring.a());
  check_type(name, "u", *u.type, vector_first ? semiring.a() : semiring.x());
  check_type(name, "w", *w.type, semiring.z());
  check_has_no_position(name, "the semiring's add", semiring.add.add);
  if (options.forced != nullptr && !options.forced->kernel.empty())
    check_kernel(name, a, executor, options.forced->kernel);
  in_step(name, [&] { run(executor, w, p, rule, options.forced); });
}

plan plan_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                  const vector_base& u, bool vector_first, index_t expected_calls) {
  backend& executor = common_backend("inspect", a, u);
  return explain_choice(executor, {semiring, a, u, transposed, vector_first}, {}, expected_calls);
}

plan inspect_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                     const vector_base& u, bool vector_first, index_t expected_calls, bool look) {
  backend& executor = common_backend("inspect", a, u);
  return make_plan(executor, {semiring, a, u, transposed, vector_first}, expected_calls, look);
}

}  // namespace tropic::detail
