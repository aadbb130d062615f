// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writing into positions, and the transpose (GraphBLAS C API 2.0, 4.3.7 and 4.3.12).
// GrB_assign semantics: mask and replace range over the whole output.

#include <tropic/detail/operations.hpp>

namespace tropic {

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
/// w<mask> accum= u.
template <value_type W>
void assign(vector<W>& w, const vector<W>& u,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), u.base(), nullptr, detail::erase(options));
}
/// w<mask>(list) accum= u: u(n) goes to position list[n].
template <value_type W>
void assign(vector<W>& w, const vector<W>& u, std::span<const index_t> list,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  detail::assign(w.base(), u.base(), &list, detail::erase(options));
}
/// c<mask>(everywhere) accum= value: every position of the mask. Needs room for all of them.
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
/// c<mask>(rows, columns) accum= a.
template <value_type W>
void assign(matrix<W>& c, const matrix<W>& a, std::span<const index_t> rows,
            std::span<const index_t> columns,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), a.base(), &rows, &columns, detail::erase(options));
}
template <value_type W>
void assign(matrix<W>& c, const matrix<W>& a,
            const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::assign(c.base(), a.base(), nullptr, nullptr, detail::erase(options));
}

/// c<mask> accum= a'.
template <value_type W>
void transpose(matrix<W>& c, const matrix<W>& a,
               const std::type_identity_t<matrix_options<W>>& options = {}) {
  detail::transpose(c.base(), a.base(), detail::erase(options));
}

}  // namespace tropic
