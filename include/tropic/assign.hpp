// SPDX-License-Identifier: Apache-2.0
#pragma once

// Assignment to positions, and the transpose (GraphBLAS C API 2.0, 4.3.7 and 4.3.12).
// GrB_assign semantics: mask and replace apply to the whole output.

#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <tropic/detail/operations.hpp>

namespace tropic {

namespace detail {
template <class List>
concept list_of_positions = requires(const List& list) {
  std::begin(list);
  std::end(list);
};
/// Positions of any integer type: unchanged, or converted for the duration of a call.
template <class List>
auto positions_of(const List& list) {
  using position = std::remove_cvref_t<decltype(*std::begin(list))>;
  if constexpr (std::is_convertible_v<const List&, std::span<const index_t>>) {
    return std::span<const index_t>(list);
  } else if constexpr (std::is_integral_v<position> && !std::is_same_v<position, bool>) {
    if constexpr (std::is_unsigned_v<position> && sizeof(position) == sizeof(index_t))
      for (const position p : list)
        if (p > static_cast<position>(std::numeric_limits<index_t>::max()))
          throw usage_error("assign: position " + std::to_string(p) + " is past all positions");
    return std::vector<index_t>(std::begin(list), std::end(list));
  } else {
    static_assert(never<List>,
                  "tropic: a list of positions holds integers; a bool for each "
                  "position is a mask, which is a vector in the options");
    return std::span<const index_t>();
  }
}
}  // namespace detail

/// w<mask>(everywhere) accum= value.
template <value_type W>
void assign(vector<W>& w, const std::type_identity_t<W>& value,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), &value, nullptr, detail::erase(options));
}
/// w<mask>(list) accum= value. Throws usage_error for a position out of range or listed twice.
template <value_type W>
void assign(vector<W>& w, const std::type_identity_t<W>& value, std::span<const index_t> list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), &value, &list, detail::erase(options));
}
/// The same for a list of another integer type.
template <value_type W, detail::list_of_positions List>
void assign(vector<W>& w, const std::type_identity_t<W>& value, const List& list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  const auto positions = detail::positions_of(list);
  assign(w, value, std::span<const index_t>(positions), options);
}
/// w<mask> accum= u.
template <value_type W, value_type U>
void assign(vector<W>& w, const vector<U>& u,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U>())
    detail::assign(w.base(), u.base(), nullptr, detail::erase(options));
}
/// w<mask>(list) accum= u: u(n) goes to position list[n].
template <value_type W, value_type U>
void assign(vector<W>& w, const vector<U>& u, std::span<const index_t> list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, U>())
    detail::assign(w.base(), u.base(), &list, detail::erase(options));
}
template <value_type W, value_type U, detail::list_of_positions List>
void assign(vector<W>& w, const vector<U>& u, const List& list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  const auto positions = detail::positions_of(list);
  assign(w, u, std::span<const index_t>(positions), options);
}
/// c<mask>(everywhere) accum= value: every position of the mask. Needs memory for all of them; with
/// lists, also up to 10 bytes for every row and every column of c.
template <value_type W>
void assign(matrix<W>& c, const std::type_identity_t<W>& value,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), &value, nullptr, nullptr, detail::erase(options));
}
template <value_type W>
void assign(matrix<W>& c, const std::type_identity_t<W>& value, std::span<const index_t> rows,
            std::span<const index_t> columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), &value, &rows, &columns, detail::erase(options));
}
template <value_type W, detail::list_of_positions Rows, detail::list_of_positions Columns>
void assign(matrix<W>& c, const std::type_identity_t<W>& value, const Rows& rows,
            const Columns& columns, const std::type_identity_t<matrix_options<W>>& options = {}) {
  const auto in_rows = detail::positions_of(rows);
  const auto in_columns = detail::positions_of(columns);
  assign(c, value, std::span<const index_t>(in_rows), std::span<const index_t>(in_columns),
         options);
}
/// c<mask>(rows, columns) accum= a.
template <value_type W, value_type A>
void assign(matrix<W>& c, const matrix<A>& a, std::span<const index_t> rows,
            std::span<const index_t> columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::assign(c.base(), a.base(), &rows, &columns, detail::erase(options));
}
template <value_type W, value_type A, detail::list_of_positions Rows,
          detail::list_of_positions Columns>
void assign(matrix<W>& c, const matrix<A>& a, const Rows& rows, const Columns& columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  const auto in_rows = detail::positions_of(rows);
  const auto in_columns = detail::positions_of(columns);
  assign(c, a, std::span<const index_t>(in_rows), std::span<const index_t>(in_columns), options);
}
template <value_type W, value_type A>
void assign(matrix<W>& c, const matrix<A>& a,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::assign(c.base(), a.base(), nullptr, nullptr, detail::erase(options));
}

/// c<mask> accum= a'.
template <value_type W, value_type A>
void transpose(matrix<W>& c, const matrix<A>& a,
               const std::type_identity_t<matrix_options<W>>& options = {}) {
  if constexpr (detail::require_same_value<W, A>())
    detail::transpose(c.base(), a.base(), detail::erase(options));
}

}  // namespace tropic
