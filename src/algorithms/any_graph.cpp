// SPDX-License-Identifier: Apache-2.0
#include "algorithms/any_graph.hpp"

#include <string>

#include <tropic/error.hpp>

namespace tropic::algorithms {

any_graph::any_graph(detail::matrix_base matrix) : matrix_(std::move(matrix)) {
  if (type() == type_code::record)
    throw usage_error("a graph's values are numbers or booleans, found " +
                      std::string(matrix_.type->name));
}

any_graph::any_graph(detail::matrix_base matrix, permutation_kind kind, std::uint64_t seed)
    : any_graph(std::move(matrix)) {
  permutation order = detail::make_relabelling(matrix_, kind, seed);
  detail::matrix_base copy = detail::permute(matrix_, order, order);
  relabelled_.emplace(std::move(order), std::move(copy));
}

detail::vector_base any_graph::to_working_copy(const detail::vector_base& u) const {
  return relabelled_ ? detail::permute(u, relabelled_->order) : u;
}

detail::vector_base any_graph::from_working_copy(const detail::vector_base& u) const {
  return relabelled_ ? detail::permute(u, relabelled_->order.inverse()) : u;
}

}  // namespace tropic::algorithms
