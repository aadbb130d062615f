// SPDX-License-Identifier: Apache-2.0
#pragma once

// The check of --verify for products.

#include <string>

#include <tropic/detail/containers.hpp>
#include <tropic/semirings/semiring.hpp>

#include "cli/program.hpp"

namespace tropic::cli {

/// Compares results of w = A x with that of the reference backend.
class spmv_check {
 public:
  spmv_check(const program& p, const semiring_description& semiring, const detail::matrix_base& a,
             const detail::vector_base& x);

  /// Empty if `w` agrees, otherwise a message about the first entry that does not.
  std::string operator()(const detail::vector_base& w) const;

 private:
  template <class Z>
  std::string compare(const detail::vector_base& w) const;
  bool is_a_term(index_t row, const void* value) const;
  double tolerance(index_t row, double expected) const;
  template <class F>
  void for_each_term(index_t row, F&& f) const;

  const semiring_description& semiring_;
  detail::matrix_base a_;
  detail::vector_base x_, expected_;
  bool takes_any_ = false;
};

}  // namespace tropic::cli
