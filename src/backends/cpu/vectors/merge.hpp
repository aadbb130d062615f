// SPDX-License-Identifier: Apache-2.0
#pragma once

// Unions and intersections of two vectors: the building blocks of ewise, accumulators and the
// epilogue.

#include "backends/cpu/vectors/mask.hpp"

namespace tropic::detail::on_cpu {

/// w = the union of w and t: op(w, t) where both have an entry (t's entry if op is null). In place
/// if w is dense and its buffers are exclusive: then it costs O(nvals(t)) for a sparse t and
/// allocates nothing. w is unchanged if this throws.
void unite(const memory_side& here, vector_base& w, vector_base t, const operator_description* op);

/// w<mask> accum= t: the epilogue of every operation on vectors (write_back.cpp). w is unchanged if
/// this throws.
void write_vector(const memory_side& here, vector_base& w, vector_base t, const vector_rule& rule);
/// w(positions) = t, no entry where t has none; elsewhere w keeps its entries.
void overwrite(const memory_side& here, vector_base& w, vector_base t, const position_set& set);

/// op(u, v) where both have an entry.
vector_base intersect(const memory_side& here, const operator_description& op, const vector_base& u,
                      const vector_base& v);

}  // namespace tropic::detail::on_cpu
