// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the reference backend computes with: the entries of a vector or matrix as an ordered map
// from position to value, and the last two steps of every GraphBLAS operation,
//
//   Z = accumulator ? w (+) t : t           the union of both, the accumulator where both have one
//   w<mask, replace> = Z                    Z where the mask is true; elsewhere w, or nothing
//
// as functions from maps to maps. A vector is a matrix of one column. Every loop over entries steps
// a cancel_watch; w is stored last, so that a cancelled operation has changed nothing.

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>

#include <tropic/detail/cancel_watch.hpp>
#include <tropic/semirings/evaluate.hpp>

#include "backends/product.hpp"

namespace tropic::detail::reference {

struct position {
  index_t row = 0, column = 0;
  friend auto operator<=>(const position&, const position&) = default;
};

using entries = std::map<position, scalar_bytes>;

/// A value of `type` at `address`, copied.
inline scalar_bytes copy_value(const type_description& type, const void* address) {
  scalar_bytes made;
  std::memcpy(made.data(), address, type.size);
  return made;
}

/// Calls visit(row, column, address of the value) for each entry, by rows, columns ascending.
void for_each_entry(const matrix_base& a,
                    const std::function<void(index_t, index_t, const void*)>& visit);

entries load(const vector_base& u);
entries load(const matrix_base& a);

/// Replaces everything that w held. Nothing has changed if this throws.
void store(vector_base& w, const entries& from);
void store(matrix_base& c, const entries& from);

/// Whether a mask lets a position through.
using mask_function = std::function<bool(const position&)>;

template <class Container>
mask_function mask_of(const output_rule<Container>& rule);

/// The union of w and t; op(w, t), at its position, where both have an entry.
entries union_of(cancel_watch& watch, const entries& w, const entries& t,
                 const operator_description& op);

/// Z where the mask is true; elsewhere w, unless `replace`.
entries masked(cancel_watch& watch, const entries& w, const entries& z, const mask_function& mask,
               bool replace);

/// w<mask> accum= t.
template <class Container>
void write_back(Container& w, const entries& t, const output_rule<Container>& rule) {
  cancel_watch watch(w.context);
  const entries old = load(w);
  const entries z = rule.accumulator ? union_of(watch, old, t, *rule.accumulator) : t;
  store(w, masked(watch, old, z, mask_of(rule), rule.replace));
}

}  // namespace tropic::detail::reference
