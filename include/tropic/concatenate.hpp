// SPDX-License-Identifier: Apache-2.0
#pragma once

// Containers put together, and taken apart (SuiteSparse: GxB_Matrix_concat, GxB_Matrix_split).

#include <initializer_list>

#include <tropic/detail/structure.hpp>
#include <tropic/positions.hpp>

namespace tropic {

/// Joins tiles into one matrix. The tiles are given row by row, `columns` of them per row:
/// concatenate<double>({&a, &b, &c, &d}, 2). All tiles of one row must have equally many rows, and
/// all tiles of one column equally many columns. Throws usage_error, naming the shapes, if they do
/// not, and also if there is no tile or an incomplete row of tiles.
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

/// Splits a into tiles of these heights and widths, returned row by row. It is the inverse of
/// concatenate with widths.size() columns. Throws usage_error unless the heights sum to a's rows
/// and the widths to a's columns.
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
