// SPDX-License-Identifier: Apache-2.0
#pragma once

// The choice of a product's kernel. Today a fixed rule between pull and push, from what a call
// knows without inspection.

#include <tropic/detail/containers.hpp>
#include <tropic/plan.hpp>
#include <tropic/semirings/semiring.hpp>

namespace tropic::detail {

/// What the rule looks at.
struct product_features {
  index_t output_size = 0, input_size = 0;
  index_t nnz = 0;
  index_t input_nvals = 0;
  index_t input_edges = 0;     // entries in the rows of u's entries, exact or estimated
  index_t output_wanted = 0;   // positions that the mask lets through
  bool stops_early = false;    // or, and, any: a pulled row ends at its first terminal
  bool pull_needs_transpose = false, push_needs_transpose = false;  // not built yet
  index_t expected_calls = 1;
};

/// "pull" or "push", with the reason.
plan choose_direction(const product_features&);

}  // namespace tropic::detail
