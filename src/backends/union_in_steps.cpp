// SPDX-License-Identifier: Apache-2.0

#include "backends/union_in_steps.hpp"

#include <cstring>

namespace tropic::detail {

namespace {

vector_base empty_like(const vector_base& like) {
  return empty_vector(like.context, *like.type, like.size);
}
matrix_base empty_like(const matrix_base& like) {
  return empty_matrix(like.context, *like.type, like.rows, like.columns);
}

void write(operations& on, vector_base& w, const vector_base& t, const vector_rule& rule) {
  on.assign(w, t, {}, rule);
}
void write(operations& on, matrix_base& c, const matrix_base& t, const matrix_rule& rule) {
  on.assign(c, t, {}, {}, rule);
}

// op with one operand replaced by a value.
unary_description with_value(const filled_operator& f, bool first) {
  unary_description result;
  result.op = f.op;
  (first ? result.bound_first : result.bound_second) = true;
  const type_description& type = first ? *f.op.x : *f.op.y;
  std::memcpy(result.bound.data(), first ? f.missing_x : f.missing_y, type.size);
  return result;
}

template <class Container>
void in_steps(operations& on, Container& w, const filled_operator& f, const Container& u,
              const Container& v, const output_rule<Container>& rule) {
  const auto outside = [](const Container& mask) {
    output_rule<Container> result;
    result.mask = &mask;
    result.structural = result.complemented = true;
    return result;
  };
  Container t = empty_like(w);
  on.ewise(t, combination::set_intersection, f.op, u, v, {});
  on.apply(t, with_value(f, false), u, outside(v));
  on.apply(t, with_value(f, true), v, outside(u));
  write(on, w, t, rule);
}

}  // namespace

void union_in_steps(operations& on, vector_base& w, const filled_operator& f, const vector_base& u,
                    const vector_base& v, const vector_rule& rule) {
  in_steps(on, w, f, u, v, rule);
}
void union_in_steps(operations& on, matrix_base& c, const filled_operator& f, const matrix_base& a,
                    const matrix_base& b, const matrix_rule& rule) {
  in_steps(on, c, f, a, b, rule);
}

}  // namespace tropic::detail
