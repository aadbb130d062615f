// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix whose pattern is needed with values of several types.

#include <memory>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// A matrix and, for each requested type, its pattern with a single zero of that type as the value
/// of all entries. Several threads may call const functions at once.
class TROPIC_API pattern_copies {
 public:
  explicit pattern_copies(matrix_base matrix);
  ~pattern_copies();
  pattern_copies(pattern_copies&&) noexcept;
  pattern_copies& operator=(pattern_copies&&) noexcept;

  const matrix_base& matrix() const;
  /// Created at the first request for that type, shares the arrays of the pattern. Throws
  /// out_of_memory.
  const matrix_base& of_type(const type_description& type) const;

 private:
  struct state;  // src/containers/formats/pattern_copies.cpp
  std::unique_ptr<state> state_;
};

}  // namespace tropic::detail
