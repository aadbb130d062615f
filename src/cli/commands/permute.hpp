// SPDX-License-Identifier: Apache-2.0
#pragma once

// --permute and --permute-seed: the order in which a command processes rows and columns. Results
// have the numbers of the file in every order.

#include <cstdint>
#include <optional>
#include <string>

#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/permute.hpp>
#include <tropic/semirings/semiring.hpp>

#include "cli/options.hpp"
#include "cli/output/report.hpp"
#include "cli/timer.hpp"
#include "plan/cost_model.hpp"

namespace tropic::cli {

struct permute_options {
  permutation_kind kind = permutation_kind::none;
  bool is_automatic = false;
  std::uint64_t seed = 1;
  std::string reason{};  // for the choice of `auto`
};

void add_permute_options(command& to, permute_options& target);

/// The options, with the kind that the plan selects for `auto`: `calls` products over all entries
/// of `a`.
permute_options chosen(permute_options o, const detail::matrix_base& a,
                       const detail::product_shape& shape, index_t calls);

/// Adds the permutation to the report: a JSON key, and if there is a permutation a line of text
/// that ends with `remark`.
void report_permutation(const permute_options& o, const std::string& remark, report& r);

/// The graph in the requested order, on the device if there is one; nothing if no order is
/// requested. Adds the time to order and permute to `seconds.convert`, that of the copy to
/// `seconds.transfer`.
template <value_type T>
std::optional<relabelled_graph<T>> relabel(const matrix<T>& graph, const permute_options& o,
                                           timings& seconds);

/// The operands of a product in another order. The rows of the result are permuted by `rows`.
struct permuted_product {
  detail::matrix_base matrix;
  detail::vector_base x;
  permutation rows;
  double seconds = 0;
};
/// Throws usage_error for a kind that requires another shape, or a semiring whose values are
/// positions, which would be those of the permuted matrix.
permuted_product permute_product(const detail::matrix_base& a, const detail::vector_base& x,
                                 const semiring_description& semiring, const permute_options& o);

template <value_type T>
std::optional<relabelled_graph<T>> relabel(const matrix<T>& graph, const permute_options& o,
                                           timings& seconds) {
  if (o.kind == permutation_kind::none) return std::nullopt;
  const auto start = clock::now();
  std::optional<relabelled_graph<T>> relabelled;
  relabelled.emplace(graph, o.kind, o.seed);
  seconds.convert += seconds_since(start);
  seconds.transfer += transfer(graph.where(), relabelled->relabelled().base());
  return relabelled;
}

}  // namespace tropic::cli
