// SPDX-License-Identifier: Apache-2.0
#pragma once

// The edges of a graph of any value type, for algorithms that find communities.

#include <tropic/apply.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/types.hpp>

#include "algorithms/values.hpp"

namespace tropic::algorithms {

/// f on the pattern, or on the weights as fp64: the algorithm is compiled for two types.
template <class F>
auto with_community_edges(const detail::matrix_base& m, bool weighted, const F& f) {
  if (!weighted) return f(as_pattern(m));
  matrix<double> weights(context(m.context), m.rows, m.columns);
  with_builtin_type(m.type->code,
                    [&]<class T>() { apply(weights, identity{}, tropic::matrix<T>(m)); });
  if (m.symmetric) weights.assume_symmetric();
  return f(weights);
}

}  // namespace tropic::algorithms
