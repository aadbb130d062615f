// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backends/backend.hpp"
#include "operations/multiply.hpp"
#include "operations/step.hpp"
#include "operations/vector_checks.hpp"
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
  throw usage_error(fmt::format("{}: A{} is {}x{}, {} has size {}, needs {}", name,
                                p.transposed ? "'" : "", p.transposed ? a.columns : a.rows,
                                p.transposed ? a.rows : a.columns, vector, found, needed));
}

product product_of(const semiring_description& semiring, matrix_factor a, const vector_base& u,
                   factor_order order) {
  return {semiring, a.matrix, u, a.transposed, order == factor_order::vector_first};
}

// What a product and the inspection for it ask of their operands.
void check_product(const char* name, const product& p) {
  const semiring_description& s = p.semiring;
  check_size(name, p, "u", p.input.size, p.rows_are_output() ? p.matrix.columns : p.matrix.rows);
  check_type(name, "A", *p.matrix.type, p.vector_first ? s.x() : s.a());
  check_type(name, "u", *p.input.type, p.vector_first ? s.a() : s.x());
  check_has_no_position(name, "the semiring's add", s.add.add);
}

// The product that a plan is made for.
backend& check_inspected(const product& p, index_t expected_calls) {
  backend& executor = common_backend("inspect", p.matrix, p.input);
  check_product("inspect", p);
  if (expected_calls < 1)
    throw usage_error(fmt::format("inspect: {} calls expected, needed 1 or more", expected_calls));
  return executor;
}

// The copy of a matrix with its columns sorted by their number of entries, made once for each
// version of the matrix.
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

// The same product with hot columns and u permuted accordingly.
void multiply_hot(backend& executor, vector_base& w, const product& p, const vector_rule& rule,
                  std::string_view kernel) {
  std::shared_ptr<const hot_columns> hot;
  try {
    hot = hot_columns_of(executor, p.matrix);
  } catch (const out_of_memory&) {  // an optimisation must not make the call fail
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
         !p.semiring.multiply.syntax->positional() && !p.semiring.exits_at_first_product &&
         p.matrix.nnz > 0;
}

// A choice of kernel: by the given plan, or the plan of an inspection of the matrix, or from what
// the call shows.
struct chosen_kernel {
  std::string name;
  bool hot_columns = false;
};
chosen_kernel choose(backend& executor, const product& p, const vector_rule& rule,
                     const plan* asked) {
  std::shared_ptr<const plan> remembered;
  if ((asked == nullptr || asked->kernel.empty()) && p.matrix.derived->has_plans) {
    remembered = remembered_plan(p, executor.features(p, rule));
    if (remembered != nullptr) asked = remembered.get();
  }
  if (asked != nullptr && asked->hot_columns && can_be_hot(p)) return {asked->kernel, true};
  if (asked != nullptr && !asked->kernel.empty()) return {asked->kernel};
  return {std::string(choose_kernel(executor, p, rule, asked ? asked->expected_calls : 1))};
}

}  // namespace

backend& check_multiply(const char* name, const vector_base& w, const product& p,
                        const plan* forced) {
  backend& executor = common_backend(name, w, p.matrix, p.input);
  check_product(name, p);
  check_size(name, p, "w", w.size, p.output_size());
  check_type(name, "w", *w.type, p.semiring.z());
  if (forced != nullptr && !forced->kernel.empty())
    check_kernel(name, p.matrix, executor, forced->kernel);
  return executor;
}

std::optional<std::string> kernel_of(backend& executor, const product& p, const plan* forced) {
  chosen_kernel chosen = choose(executor, p, {}, forced);
  if (chosen.hot_columns) return std::nullopt;
  return std::move(chosen.name);
}

void multiply(const char* name, vector_base& w, const product& p,
              const output_options<vector_base>& options) {
  backend& executor = check_multiply(name, w, p, options.forced);
  const vector_rule rule = rule_of(name, w, options);
  in_step(name, [&] {
    const chosen_kernel chosen = choose(executor, p, rule, options.forced);
    if (chosen.hot_columns)
      multiply_hot(executor, w, p, rule, chosen.name);
    else
      executor.multiply(w, p, rule, chosen.name);
  });
}

void multiply(const char* name, vector_base& w, const semiring_description& semiring,
              matrix_factor a, const vector_base& u, factor_order order,
              const output_options<vector_base>& options) {
  multiply(name, w, product_of(semiring, a, u, order), options);
}

plan plan_product(const semiring_description& semiring, matrix_factor a, const vector_base& u,
                  factor_order order, index_t expected_calls) {
  const product p = product_of(semiring, a, u, order);
  return explain_choice(check_inspected(p, expected_calls), p, {}, expected_calls);
}

plan inspect_product(const semiring_description& semiring, matrix_factor a, const vector_base& u,
                     factor_order order, index_t expected_calls, inspection_rule rule) {
  const product p = product_of(semiring, a, u, order);
  return make_plan(check_inspected(p, expected_calls), p, expected_calls,
                   rule == inspection_rule::always);
}

}  // namespace tropic::detail
