// SPDX-License-Identifier: Apache-2.0

// Element-wise union and intersection (GraphBLAS C API 2.0, 4.3.4 and 4.3.5): merge.hpp for
// vectors, rows.hpp for matrices, then the epilogue.

#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/merge.hpp"
#include "backends/cpu/rows.hpp"

namespace tropic::detail {

void cpu_backend::ewise(vector_base& w, combination kind, const operator_description& op,
                        const vector_base& u, const vector_base& v, const vector_rule& rule) {
  const on_cpu::memory_side here(context_, on_host_);
  if (kind == combination::set_intersection)
    return write_back(w, on_cpu::intersect(here, op, u, v), rule);
  // w = w + v: v is merged into w in place, as with an accumulator.
  if (&w == &u && rule.mask == nullptr && rule.accumulator == nullptr)
    return on_cpu::unite(here, w, v, &op);
  vector_base t = u;
  on_cpu::unite(here, t, v, &op);
  write_back(w, std::move(t), rule);
}

void cpu_backend::ewise(matrix_base& c, combination kind, const operator_description& op,
                        const matrix_base& a, const matrix_base& b, const matrix_rule& rule) {
  const on_cpu::memory_side here(context_, on_host_);
  on_cpu::row_rule merge;
  merge.op = &op;
  merge.is_intersection = kind == combination::set_intersection;
  write_back(c, on_cpu::merge_rows(here, *op.z, a, b, merge), rule);
}

}  // namespace tropic::detail
