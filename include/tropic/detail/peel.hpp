// SPDX-License-Identifier: Apache-2.0
#pragma once

// Removal in the order of counts, as one operation (src/operations/peel.cpp): the loop of core
// numbers (algorithms/core_numbers.hpp), until `count` is empty:
//
//   k = the smallest of count
//   removed = count where count <= k                until that is empty, a round:
//     level<removed> = k                            count<removed> = nothing
//     count -= removed' A, over (plus, pair)        where count has an entry
//     removed = count where the product has an entry and count <= k
//
// The sums are of whole numbers, so that a backend may subtract the entries of a round in any
// order, and in place.

#include <cstdint>
#include <optional>

#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

struct peeling {
  index_t largest = 0;  // level
  index_t rounds = 0;
};

/// Replaces level: an index_t for every row of A, 0 where `count` has no entry. `count`: above 0,
/// and no smaller than the number of entries of A in that column. Null where the backend has no
/// such loop: then nothing has changed. The cancel token is checked between launches, or levels.
TROPIC_API std::optional<peeling> peel(vector_base& level, const vector_base& count,
                                       const matrix_base& a);

template <value_type T>
std::optional<peeling> peel(vector<index_t>& level, const vector<std::uint32_t>& count,
                            const matrix<T>& a) {
  return peel(level.base(), count.base(), a.base());
}

}  // namespace tropic::detail
