// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix with the same entries and other values. Offsets and columns are shared; conversions of
// the matrix, such as its transpose, are not.

#include <tropic/detail/containers.hpp>
#include <tropic/matrix.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::algorithms {

/// Every entry is `true`, stored once. O(1).
detail::matrix_base pattern_of(const detail::matrix_base& m);
/// The same with its type; `m` itself if its values are booleans.
matrix<bool> as_pattern(const detail::matrix_base& m);

/// The values as weights of shortest paths whose distances have type `distances`, which is not
/// bool; `m` itself if it has that type. On the host, O(entries). Throws usage_error if an integer
/// does not fit, and for floating values if the type is an integer or narrower.
detail::matrix_base as_weights(const detail::matrix_base& m, type_code distances);

}  // namespace tropic::algorithms
