// SPDX-License-Identifier: Apache-2.0
#pragma once

// Containers put together, and taken apart (SuiteSparse: GxB_Matrix_concat, GxB_Matrix_split).

#include <initializer_list>

#include <tropic/detail/structure.hpp>
#include <tropic/positions.hpp>

namespace tropic {

/// One matrix of tiles, `columns` of them in each row of tiles, given row by row:
/// concatenate<double>({&a, &b, &c, &d}, 2). Tiles of one row have equally many rows, tiles of one
/// column equally many columns; usage_error otherwise, naming the shapes. At least one tile.
template <value_type T>
matrix<T> concatenate(std::span<const matrix<T>* const> tiles, std::size_t columns) {
  std::vector<const detail::matrix_base*> bases;
  for (const matrix<T>* tile : tiles) bases.push_back(&tile->base());
  return matrix<T>(detail::concatenate(bases, columns));
}
template <value_type T>
matrix<T> concatenate(std::initializer_list<const matrix<T>*> tiles, std::size_t columns) {
  return concatenate(std::span<const matrix<T>* const>(tiles.begin(), tiles.size()), columns);
}
/// One vector of the parts' entries, one part after the other. At least one part.
template <value_type T>
vector<T> concatenate(std::span<const vector<T>* const> parts) {
  std::vector<const detail::vector_base*> bases;
  for (const vector<T>* part : parts) bases.push_back(&part->base());
  return vector<T>(detail::concatenate(bases));
}
template <value_type T>
vector<T> concatenate(std::initializer_list<const vector<T>*> parts) {
  return concatenate(std::span<const vector<T>* const>(parts.begin(), parts.size()));
}

/// The tiles of a, row by row, of these heights and widths; usage_error unless they sum to a's rows
/// and columns. concatenate(pointers to them, widths.size()) is a.
template <value_type T>
std::vector<matrix<T>> split(const matrix<T>& a, std::span<const index_t> heights,
                             std::span<const index_t> widths) {
  std::vector<matrix<T>> result;
  for (detail::matrix_base& tile : detail::split(a.base(), heights, widths))
    result.push_back(matrix<T>(std::move(tile)));
  return result;
}
/// The parts of u of these sizes; usage_error unless they sum to u's.
template <value_type T>
std::vector<vector<T>> split(const vector<T>& u, std::span<const index_t> sizes) {
  std::vector<vector<T>> result;
  for (detail::vector_base& part : detail::split(u.base(), sizes))
    result.push_back(vector<T>(std::move(part)));
  return result;
}

}  // namespace tropic
