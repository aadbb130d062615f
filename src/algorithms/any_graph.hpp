// SPDX-License-Identifier: Apache-2.0
#pragma once

// A graph whose value type is known at run time only: what the entry points of this folder take.
//
// The folder compiles each algorithm of <tropic/algorithms/...> once for each value type that it
// needs. The program, its benchmarks and the C interface call the entry points and instantiate no
// algorithm themselves. An entry point picks the value type, runs the template, on the relabelled
// copy if there is one, and erases the types of the result.

#include <cstdint>
#include <optional>
#include <utility>

#include <tropic/algorithms/relabelled/graph.hpp>
#include <tropic/detail/containers.hpp>
#include <tropic/matrix.hpp>
#include <tropic/permutation.hpp>
#include <tropic/permute.hpp>

namespace tropic::algorithms {

class any_graph {
 public:
  /// An entry (i, j) of `matrix` is an edge from i to j. Throws usage_error if values are records.
  explicit any_graph(detail::matrix_base matrix);
  /// With a relabelled copy in the order of `kind`, which algorithms run on; results have the
  /// numbers of `matrix`. Throws usage_error also if the matrix is not square; cancelled.
  any_graph(detail::matrix_base matrix, permutation_kind kind, std::uint64_t seed);

  const detail::matrix_base& matrix() const { return matrix_; }
  /// The type of the values.
  type_code type() const { return matrix_.type->code; }
  /// The matrix that algorithms run on: the copy if there is one.
  const detail::matrix_base& working_copy() const {
    return relabelled_ ? relabelled_->copy : matrix_;
  }
  /// From a vector over the vertices of matrix() to one over those of working_copy(), and back.
  detail::vector_base to_working_copy(const detail::vector_base& u) const;
  detail::vector_base from_working_copy(const detail::vector_base& u) const;

  /// The same graph with the values convert(matrix), computed for the copy as well.
  template <class F>
  any_graph with_values(const F& convert) const {
    any_graph result(convert(matrix_));
    if (relabelled_) result.relabelled_.emplace(relabelled_->order, convert(relabelled_->copy));
    return result;
  }

  /// f(tropic::matrix<T>) or, with a copy, f(relabelled_graph<T>). T is the type of the values.
  template <class T, class F>
  decltype(auto) visit(const F& f) const {
    tropic::matrix<T> original(matrix_);
    if (!relabelled_) return f(original);
    return f(relabelled_graph<T>(std::move(original), relabelled_->order,
                                 tropic::matrix<T>(relabelled_->copy)));
  }

 private:
  struct relabelling {
    relabelling(permutation its_order, detail::matrix_base its_copy)
        : order(std::move(its_order)), copy(std::move(its_copy)) {}
    permutation order;
    detail::matrix_base copy;
  };

  detail::matrix_base matrix_;
  std::optional<relabelling> relabelled_;
};

}  // namespace tropic::algorithms
