// SPDX-License-Identifier: Apache-2.0
#pragma once

// The number of triangles of a symmetric matrix as one operation (src/operations/triangles.cpp):
// what algorithms/triangle_count.hpp computes by relabelling, selecting and multiplying. The number
// does not depend on the order of vertices or edges, so a backend may choose both.

#include <cstdint>
#include <optional>

#include <tropic/matrix.hpp>

namespace tropic::detail {

/// The number of sets of three vertices with an edge between every two. a: square, with an entry
/// (j, i) for every entry (i, j); values and loops do not count. None where the backend has no such
/// operation. Throws usage_error if a is not square; cancelled; out_of_memory.
TROPIC_API std::optional<std::int64_t> count_triangles(const matrix_base& a);

template <value_type T>
std::optional<std::int64_t> count_triangles(const matrix<T>& a) {
  return count_triangles(a.base());
}

}  // namespace tropic::detail
