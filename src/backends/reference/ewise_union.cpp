// SPDX-License-Identifier: Apache-2.0

// ewise_union (SuiteSparse: GxB_eWiseUnion): op at every position where either operand has an
// entry.

#include "backends/reference/backend.hpp"
#include "backends/reference/entries.hpp"

namespace tropic::detail {

using namespace reference;

namespace {

template <class Container>
void unite(Container& w, const filled_operator& f, const Container& u, const Container& v,
           const output_rule<Container>& rule) {
  const evaluator combine(f.op);
  const entries left = load(u), right = load(v);
  cancel_watch watch(w.context);
  entries t;
  const auto add = [&](const position& where) {
    watch.step();
    const auto x = left.find(where), y = right.find(where);
    scalar_bytes z;
    combine(z.data(), x == left.end() ? f.missing_x : x->second.data(),
            y == right.end() ? f.missing_y : y->second.data(), where.row, 0, where.column);
    t.emplace(where, z);
  };
  for (const auto& [where, value] : left) add(where);
  for (const auto& [where, value] : right)
    if (!left.contains(where)) add(where);
  write_back(w, t, rule);
}

}  // namespace

void reference_backend::ewise_union(vector_base& w, const filled_operator& f, const vector_base& u,
                                    const vector_base& v, const vector_rule& rule) {
  unite(w, f, u, v, rule);
}
void reference_backend::ewise_union(matrix_base& c, const filled_operator& f, const matrix_base& a,
                                    const matrix_base& b, const matrix_rule& rule) {
  unite(c, f, a, b, rule);
}

}  // namespace tropic::detail
