// SPDX-License-Identifier: Apache-2.0
#pragma once

// --permute and --permute-seed: the order that a command works in. What it prints and writes has
// the file's numbers whatever the order.

#include <cstdint>
#include <string>

#include <tropic/permute.hpp>
#include <tropic/semirings/semiring.hpp>

#include "algorithms/any_graph.hpp"
#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "plan/cost_model.hpp"

namespace tropic::cli {

struct permute_options {
  permutation_kind kind = permutation_kind::none;
  bool is_automatic = false;
  std::uint64_t seed = 1;
  std::string reason{};  // of an automatic choice
};

void add_permute_options(command& to, permute_options& target);

/// The same, but where the kind is left to the plan that which it chooses for so many products over
/// all entries of `a`.
permute_options chosen(permute_options o, const detail::matrix_base& a,
                       const detail::product_shape& shape, index_t calls);

/// Adds what was chosen to the report: a key of the JSON, and a line of text for `aside` of where
/// its time is; nothing to the text without a permutation.
void tell_permutation(const permute_options& o, const std::string& aside, report& r);

/// The graph, with a copy in the order that was asked for, if one was, on the device if there is
/// one. The time to order and to permute it is added to `seconds.convert`, that to move it to the
/// device to `seconds.transfer`.
algorithms::any_graph relabel(const detail::matrix_base& graph, const permute_options& o,
                              timings& seconds);

/// A product's operands in another order; its result is `rows` away from the file's.
struct permuted_product {
  detail::matrix_base matrix;
  detail::vector_base x;
  permutation rows;
  double seconds = 0;
};
/// Throws usage_error for a kind that the matrix's shape does not have, or a semiring whose values
/// are positions, which would be the new ones.
permuted_product permute_product(const detail::matrix_base& a, const detail::vector_base& x,
                                 const semiring_description& semiring, const permute_options& o);

}  // namespace tropic::cli
