// SPDX-License-Identifier: Apache-2.0

// Kronecker products, unions with fill values, and other shapes, of the C ABI.

#include "interop/c/output.hpp"

using namespace tropic::c_abi;
using tropic::operator_description;

tropic_status tropic_kronecker(tropic_matrix* c, const char* op, const tropic_matrix* a,
                               const tropic_matrix* b, const tropic_mxm_options* options) {
  return guarded(context_of(c, a, b), "tropic_kronecker", [&](const call& by) {
    by.need(c, "c");
    by.need(op, "op");
    by.need(a, "a");
    by.need(b, "b");
    const matrix_output to(by, options, *c->base().type, transposes::both);
    const operator_description times = accumulator_of(by, op, *c->base().type, "op");
    by.begin(*c->of);
    tropic::detail::kronecker(
        c->changes.base(), times, {.matrix = a->base(), .transposed = to.given.transpose_a != 0},
        {.matrix = b->base(), .transposed = to.given.transpose_b != 0}, to.output);
    c->pattern.reset();
  });
}

tropic_status tropic_matrix_ewise_union(tropic_matrix* c, const char* op, const tropic_matrix* a,
                                        const void* missing_a, const tropic_matrix* b,
                                        const void* missing_b, const tropic_mxm_options* options) {
  return guarded(context_of(c, a, b), "tropic_matrix_ewise_union", [&](const call& by) {
    by.need(c, "c");
    by.need(op, "op");
    by.need(a, "a");
    by.need_array(missing_a, 1, "missing_a");
    by.need(b, "b");
    by.need_array(missing_b, 1, "missing_b");
    const matrix_output to(by, options, *c->base().type, transposes::none);
    const operator_description plus = accumulator_of(by, op, *c->base().type, "op");
    by.begin(*c->of);
    tropic::detail::ewise_union(c->changes.base(), plus, a->base(), missing_a, b->base(), missing_b,
                                to.output);
    c->pattern.reset();
  });
}

tropic_status tropic_vector_ewise_union(tropic_vector* w, const char* op, const tropic_vector* u,
                                        const void* missing_u, const tropic_vector* v,
                                        const void* missing_v,
                                        const tropic_product_options* options) {
  return guarded(context_of(w, u, v), "tropic_vector_ewise_union", [&](const call& by) {
    by.need(w, "w");
    by.need(op, "op");
    by.need(u, "u");
    by.need_array(missing_u, 1, "missing_u");
    by.need(v, "v");
    by.need_array(missing_v, 1, "missing_v");
    const vector_output to(by, options, *w->base.type, transposes::none);
    const operator_description plus = accumulator_of(by, op, *w->base.type, "op");
    by.begin(*w->of);
    tropic::detail::ewise_union(w->base, plus, u->base, missing_u, v->base, missing_v, to.output);
  });
}

tropic_status tropic_matrix_clear(tropic_matrix* matrix) {
  return guarded(context_of(matrix), "tropic_matrix_clear", [&](const call& c) {
    tropic_matrix& m = c.need(matrix, "matrix");
    m.changes = tropic::detail::changeable_matrix(tropic::detail::empty_matrix(
        m.changes.context(), m.changes.type(), m.changes.rows(), m.changes.columns()));
    m.pattern.reset();
  });
}

tropic_status tropic_matrix_resize(tropic_matrix* matrix, int64_t rows, int64_t columns) {
  return guarded(context_of(matrix), "tropic_matrix_resize", [&](const call& c) {
    tropic_matrix& m = c.need(matrix, "matrix");
    c.begin(*m.of);
    tropic::detail::resize(m.changes.base(), rows, columns);
    m.pattern.reset();
  });
}

tropic_status tropic_vector_clear(tropic_vector* vector) {
  return guarded(context_of(vector), "tropic_vector_clear", [&](const call& c) {
    tropic::detail::vector_base& v = c.need(vector, "vector").base;
    v = tropic::detail::empty_vector(v.context, *v.type, v.size);
  });
}

tropic_status tropic_vector_resize(tropic_vector* vector, int64_t size) {
  return guarded(context_of(vector), "tropic_vector_resize", [&](const call& c) {
    tropic_vector& v = c.need(vector, "vector");
    c.begin(*v.of);
    tropic::detail::resize(v.base, size);
  });
}
