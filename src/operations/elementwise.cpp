// SPDX-License-Identifier: Apache-2.0
#include "operations/step.hpp"
#include "operations/vector_checks.hpp"

namespace tropic::detail {

namespace {

void check_shape(const char* name, const vector_base& w, const vector_base& u,
                 const char* name_of_input) {
  if (w.size != u.size)
    throw usage_error(std::string(name) + ": w has " + shape(w) + ", " + name_of_input + " has " +
                      shape(u));
}
void check_shape(const char* name, const matrix_base& c, const matrix_base& a,
                 const char* name_of_input) {
  if (c.rows != a.rows || c.columns != a.columns)
    throw usage_error(std::string(name) + ": C is " + shape(c) + ", " + name_of_input + " is " +
                      shape(a));
}

template <class Container>
backend& check_ewise_of(const char* name, const Container& w, ewise_positions positions,
                        const operator_description& op, const Container& u, const Container& v) {
  backend& executor = common_backend(name, w, u, v);
  check_shape(name, w, u, "the first operand");
  check_shape(name, w, v, "the second operand");
  check_type(name, "the first operand", *u.type, *op.x);
  check_type(name, "the second operand", *v.type, *op.y);
  check_type(name, "the output", *w.type, *op.z);
  check_has_no_k(name, op);
  if (positions == ewise_positions::set_union && !(*op.x == *op.z && *op.y == *op.z))
    throw usage_error(std::string(name) +
                      ": a union keeps single entries as they are, so its "
                      "operands and result have one type");
  return executor;
}

template <class Container>
void ewise_checked(const char* name, Container& w, ewise_positions positions,
                   const operator_description& op, const Container& u, const Container& v,
                   const output_options<Container>& options) {
  backend& executor = check_ewise_of(name, w, positions, op, u, v);
  const output_rule<Container> rule = rule_of(name, w, options);
  const bool set_union = positions == ewise_positions::set_union;
  in_step(name, [&] {
    executor.ewise(w, set_union ? combination::set_union : combination::set_intersection, op, u, v,
                   rule);
  });
}

const type_description& operand_of(const unary_description& op) {
  return op.bound_first ? *op.op.y : *op.op.x;
}

template <class Container>
backend& check_apply_of(const Container& w, const unary_description& op, const Container& u) {
  backend& executor = common_backend("apply", w, u);
  check_shape("apply", w, u, "its input");
  check_type("apply", "its input", *u.type, operand_of(op));
  check_type("apply", "the output", *w.type, *op.op.z);
  check_has_no_k("apply", op.op);
  return executor;
}

template <class Container>
void apply_checked(Container& w, const unary_description& op, const Container& u,
                   const output_options<Container>& options) {
  backend& executor = check_apply_of(w, op, u);
  const output_rule<Container> rule = rule_of("apply", w, options);
  in_step("apply", [&] { executor.apply(w, op, u, rule); });
}

template <class Container>
void select_checked(Container& w, const unary_description& op, const Container& u,
                    const output_options<Container>& options) {
  backend& executor = common_backend("select", w, u);
  const output_rule<Container> rule = rule_of("select", w, options);
  check_shape("select", w, u, "its input");
  check_type("select", "its input", *u.type, operand_of(op));
  check_type("select", "the output", *w.type, *u.type);
  check_has_no_k("select", op.op);
  if (op.op.z->code != type_code::boolean)
    throw usage_error("select: the predicate yields " + std::string(op.op.z->name) +
                      ", needed bool");
  in_step("select", [&] { executor.select(w, op, u, rule); });
}

}  // namespace

backend& check_ewise(const char* name, const vector_base& w, ewise_positions positions,
                     const operator_description& op, const vector_base& u, const vector_base& v) {
  return check_ewise_of(name, w, positions, op, u, v);
}
backend& check_apply(const vector_base& w, const unary_description& op, const vector_base& u) {
  return check_apply_of(w, op, u);
}

void ewise(const char* name, vector_base& w, ewise_positions positions,
           const operator_description& op, const vector_base& u, const vector_base& v,
           const output_options<vector_base>& o) {
  ewise_checked(name, w, positions, op, u, v, o);
}
void ewise(const char* name, matrix_base& c, ewise_positions positions,
           const operator_description& op, const matrix_base& a, const matrix_base& b,
           const output_options<matrix_base>& o) {
  ewise_checked(name, c, positions, op, a, b, o);
}
void apply(vector_base& w, const unary_description& op, const vector_base& u,
           const output_options<vector_base>& o) {
  apply_checked(w, op, u, o);
}
void apply(matrix_base& c, const unary_description& op, const matrix_base& a,
           const output_options<matrix_base>& o) {
  apply_checked(c, op, a, o);
}
void select(vector_base& w, const unary_description& op, const vector_base& u,
            const output_options<vector_base>& o) {
  select_checked(w, op, u, o);
}
void select(matrix_base& c, const unary_description& op, const matrix_base& a,
            const output_options<matrix_base>& o) {
  select_checked(c, op, a, o);
}

}  // namespace tropic::detail
