// SPDX-License-Identifier: Apache-2.0

// Operations on single positions: ewise union and intersection, apply and select
// (GraphBLAS C API 2.0, 4.3.4, 4.3.5, 4.3.8 and 4.3.9).

#include "backends/reference/entries.hpp"
#include "backends/reference/reference_backend.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

entries intersection_of(cancel_watch& watch, const entries& u, const entries& v,
                        const operator_description& op) {
  const evaluator combine(op);
  entries t;
  for (const auto& [where, left] : u) {
    watch.step();
    const auto right = v.find(where);
    if (right == v.end()) continue;
    scalar_bytes both;
    combine(both.data(), left.data(), right->second.data(), where.row, 0, where.column);
    t.emplace(where, both);
  }
  return t;
}

entries combined(const context_pointer& where, combination kind, const operator_description& op,
                 const entries& u, const entries& v) {
  cancel_watch watch(where);
  return kind == combination::set_union ? union_of(watch, u, v, op)
                                        : intersection_of(watch, u, v, op);
}

// A function of one entry; the bound value replaces its operand.
class entry_function {
 public:
  explicit entry_function(const unary_description& f) : f_(f), run_(f.op) {}

  scalar_bytes operator()(const position& where, const scalar_bytes& value) const {
    const void* x = f_.bound_first ? f_.bound.data() : value.data();
    const void* y = f_.bound_second ? f_.bound.data() : value.data();
    scalar_bytes result;
    run_(result.data(), x, y, where.row, 0, where.column);
    return result;
  }

 private:
  const unary_description& f_;
  evaluator run_;
};

entries applied(const context_pointer& where, const unary_description& f, const entries& u) {
  cancel_watch watch(where);
  const entry_function run(f);
  entries t;
  for (const auto& [at, value] : u) {
    watch.step();
    t.emplace(at, run(at, value));
  }
  return t;
}

entries selected(const context_pointer& where, const unary_description& predicate,
                 const entries& u) {
  cancel_watch watch(where);
  const entry_function holds(predicate);
  entries t;
  for (const auto& [at, value] : u) {
    watch.step();
    if (holds(at, value).as<bool>()) t.emplace(at, value);
  }
  return t;
}

}  // namespace

void reference_backend::ewise(vector_base& w, combination kind, const operator_description& op,
                              const vector_base& u, const vector_base& v, const vector_rule& rule) {
  write_back(w, combined(w.context, kind, op, load(u), load(v)), rule);
}
void reference_backend::ewise(matrix_base& c, combination kind, const operator_description& op,
                              const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  write_back(c, combined(c.context, kind, op, load(a), load(b)), rule);
}

void reference_backend::apply(vector_base& w, const unary_description& f, const vector_base& u,
                              const vector_rule& rule) {
  write_back(w, applied(w.context, f, load(u)), rule);
}
void reference_backend::apply(matrix_base& c, const unary_description& f, const matrix_base& a,
                              const matrix_rule& rule) {
  write_back(c, applied(c.context, f, load(a)), rule);
}

void reference_backend::select(vector_base& w, const unary_description& predicate,
                               const vector_base& u, const vector_rule& rule) {
  write_back(w, selected(w.context, predicate, load(u)), rule);
}
void reference_backend::select(matrix_base& c, const unary_description& predicate,
                               const matrix_base& a, const matrix_rule& rule) {
  write_back(c, selected(c.context, predicate, load(a)), rule);
}

}  // namespace tropic::detail
