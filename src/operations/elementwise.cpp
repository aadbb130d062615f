// SPDX-License-Identifier: Apache-2.0
#include "operations/checks.hpp"
#include "operations/step.hpp"

namespace tropic::detail {

namespace {

void check_shape(const char* name, const vector_base& w, const vector_base& u, const char* which) {
  if (w.size != u.size)
    throw usage_error(std::string(name) + ": w has " + shape(w) + ", " + which + " has " +
                      shape(u));
}
void check_shape(const char* name, const matrix_base& c, const matrix_base& a, const char* which) {
  if (c.rows != a.rows || c.columns != a.columns)
    throw usage_error(std::string(name) + ": C is " + shape(c) + ", " + which + " is " + shape(a));
}

template <class Container>
void ewise_checked(const char* name, Container& w, ewise_positions positions,
                   const operator_description& op, const Container& u, const Container& v,
                   const output_options<Container>& options) {
  const bool set_union = positions == ewise_positions::set_union;
  backend& executor = common_backend(name, w, u, v);
  const output_rule<Container> rule = rule_of(name, w, options);
  check_shape(name, w, u, "the first operand");
  check_shape(name, w, v, "the second operand");
  check_type(name, "the first operand", *u.type, *op.x);
  check_type(name, "the second operand", *v.type, *op.y);
  check_type(name, "the output", *w.type, *op.z);
  check_has_no_k(name, op);
  if (set_union && !(*op.x == *op.z && *op.y == *op.z))
    throw usage_error(std::string(name) +
                      ": a union keeps single entries as they are, so its "
                      "operands and result have one type");
  in_step(name, [&] {
    executor.ewise(w, set_union ? combination::set_union : combination::set_intersection, op, u, v,
                   rule);
  });
}

const type_description& operand_of(const unary_description& op) {
  return op.bound_first ? *op.op.y : *op.op.x;
}

template <class Container>
void apply_checked(Container& w, const unary_description& op, const Container& u,
                   const output_options<Container>& options) {
  backend& executor = common_backend("apply", w, u);
  const output_rule<Container> rule = rule_of("apply", w, options);
  check_shape("apply", w, u, "its input");
  check_type("apply", "its input", *u.type, operand_of(op));
  check_type("apply", "the output", *w.type, *op.op.z);
  check_has_no_k("apply", op.op);
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
