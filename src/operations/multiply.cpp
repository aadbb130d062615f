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

void check_kernel(const char* name, const matrix_base& a, const cost_source& source,
                  std::string_view kernel) {
  if (source.find_kernel(kernel) != nullptr) return;
  throw usage_error(fmt::format("{}: no kernel '{}' on {}, which has {}", name, kernel,
                                a.context->name, names_of(source.kernels())));
}

void check_size(const char* name, const product& p, const char* vector, index_t found,
                index_t needed) {
  if (found == needed) return;
  const matrix_base& a = p.matrix;
  throw usage_error(fmt::format("{}: A{} is {}x{}, {} has {} entries, needs {}", name,
                                p.transposed ? "'" : "", p.transposed ? a.columns : a.rows,
                                p.transposed ? a.rows : a.columns, vector, found, needed));
}

// What a product and the inspection for it ask of their operands.
void check_product(const char* name, const product& p) {
  const semiring_description& s = p.semiring;
  check_size(name, p, "u", p.input.size, p.rows_are_output() ? p.matrix.columns : p.matrix.rows);
  check_type(name, "A", *p.matrix.type, p.vector_first ? s.x() : s.a());
  check_type(name, "u", *p.input.type, p.vector_first ? s.a() : s.x());
  check_has_no_position(name, "the semiring's add", s.add.add);
}

// The product that a plan is for.
backend& check_inspected(const product& p, index_t expected_calls) {
  backend& executor = common_backend("inspect", p.matrix, p.input);
  check_product("inspect", p);
  if (expected_calls < 1)
    throw usage_error(fmt::format("inspect: {} calls expected, needed 1 or more", expected_calls));
  return executor;
}

// The copy of a matrix with its columns by their number of entries, made once a version.
std::shared_ptr<const hot_columns> hot_columns_of(array_services& services, const matrix_base& a) {
  const std::lock_guard lock(a.derived->mutex);
  if (a.derived->hot != nullptr) return a.derived->hot;
  a.derived->building = true;
  struct guard {
    derived_copies& copies;
    ~guard() { copies.building = false; }
  } built{*a.derived};
  a.derived->hot = std::make_shared<const hot_columns>(make_hot_columns(services, a));
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
  check_product(name, p);
  check_size(name, p, "w", w.size, p.output_size());
  check_type(name, "w", *w.type, semiring.z());
  if (options.forced != nullptr && !options.forced->kernel.empty())
    check_kernel(name, a, executor, options.forced->kernel);
  in_step(name, [&] { run(executor, w, p, rule, options.forced); });
}

plan plan_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                  const vector_base& u, bool vector_first, index_t expected_calls) {
  const product p{semiring, a, u, transposed, vector_first};
  return explain_choice(check_inspected(p, expected_calls), p, {}, expected_calls);
}

plan inspect_product(const semiring_description& semiring, const matrix_base& a, bool transposed,
                     const vector_base& u, bool vector_first, index_t expected_calls, bool look) {
  const product p{semiring, a, u, transposed, vector_first};
  return make_plan(check_inspected(p, expected_calls), p, expected_calls, look);
}

}  // namespace tropic::detail
