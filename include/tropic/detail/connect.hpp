// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hooking and shortcutting until nothing changes, as one operation (src/operations/connect.cpp):
// the loop of connected components (algorithms/connected_components.hpp), from a forest of single
// vertices:
//
//   label(v) = v
//   label(label(i)), label(label(j)) min= label(i), label(j) for every entry (i, j) of A
//   label(v) = label(label(v))
//
// The labels at the end are the same in any order of these steps: label(v) is the smallest vertex
// that v is connected to. So a backend may take the entries one by one, in place.

#include <optional>

#include <tropic/matrix.hpp>
#include <tropic/vector.hpp>

namespace tropic::detail {

/// Replaces label, which has an index_t for every row of A. Returns the number of different labels.
/// Null where the backend has no such loop: then nothing has changed.
TROPIC_API std::optional<index_t> connect(vector_base& label, const matrix_base& a);

template <value_type T>
std::optional<index_t> connect(vector<index_t>& label, const matrix<T>& a) {
  return connect(label.base(), a.base());
}

}  // namespace tropic::detail
