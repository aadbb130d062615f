// SPDX-License-Identifier: Apache-2.0

// c<mask> accum= t for matrices: the buffers are moved if nothing of c can remain, otherwise c, t
// and the mask are merged row by row into a new matrix (rows.hpp), which finally replaces c.

#include "backends/cpu/backend.hpp"
#include "backends/cpu/matrices/rows.hpp"

namespace tropic::detail {

namespace on_cpu {

void write_matrix(const memory_side& here, matrix_base& c, matrix_base t, const matrix_rule& rule,
                  const std::uint8_t* row_scope, const std::uint8_t* column_scope) {
  if (rule.mask || rule.accumulator || row_scope) {
    row_rule merge;
    merge.op = rule.accumulator;
    merge.mask = rule.mask;
    merge.structural = rule.structural;
    merge.complemented = rule.complemented;
    merge.replace = rule.replace;
    merge.row_scope = row_scope;
    merge.column_scope = column_scope;
    t = merge_rows(here, *c.type, c, t, merge);
  }
  t.type = c.type;  // an equal one may belong to an operator that is evaluated before c
  c = std::move(t);
}

}  // namespace on_cpu

void cpu_backend::write_back(matrix_base& c, matrix_base&& t, const matrix_rule& rule) {
  on_cpu::write_matrix(on_cpu::memory_side(context_, on_host_), c, std::move(t), rule);
}

}  // namespace tropic::detail
