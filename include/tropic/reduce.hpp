// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums over a monoid (GraphBLAS C API 2.0, 4.3.10).

#include <tropic/detail/operations.hpp>

namespace tropic {

/// w<mask> accum= the sum of each row of a; an empty row gives no entry.
template <monoid_type M, value_type W>
void reduce(vector<W>& w, const M& monoid, const matrix<W>& a,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  static_assert(std::is_same_v<typename M::type, W>, "tropic: the monoid is over another type");
  detail::reduce(w.base(), describe_monoid(monoid), a.base(), false, detail::erase(options));
}
/// The same for each column.
template <monoid_type M, value_type W>
void reduce(vector<W>& w, const M& monoid, transposed_view<W> a,
            const std::type_identity_t<vector_options<W>>& options = {}) {
  static_assert(std::is_same_v<typename M::type, W>, "tropic: the monoid is over another type");
  detail::reduce(w.base(), describe_monoid(monoid), a.of.base(), true, detail::erase(options));
}
/// The sum of all entries; the identity where there are none. Synchronises.
template <monoid_type M, value_type W>
W reduce(const M& monoid, const vector<W>& u) {
  static_assert(std::is_same_v<typename M::type, W>, "tropic: the monoid is over another type");
  W result = M::identity();
  detail::reduce(&result, describe_monoid(monoid), u.base());
  return result;
}
template <monoid_type M, value_type W>
W reduce(const M& monoid, const matrix<W>& a) {
  static_assert(std::is_same_v<typename M::type, W>, "tropic: the monoid is over another type");
  W result = M::identity();
  detail::reduce(&result, describe_monoid(monoid), a.base());
  return result;
}

}  // namespace tropic
