// SPDX-License-Identifier: Apache-2.0
#pragma once

// Another shape (GraphBLAS C API 2.1, 4.2.4.3 and 4.2.5.4).

#include <tropic/detail/structure.hpp>

namespace tropic {

/// Gives v `size` positions. Entries past the end are removed, new positions have none. Throws
/// usage_error for a size that is negative or greater than 2^32, out_of_memory; v is unchanged
/// then.
template <value_type T>
void resize(vector<T>& v, index_t size) {
  detail::resize(v.base(), size);
}
/// The same for the rows and columns of a matrix. Adding columns takes constant time. If the shape
/// changes, the matrix is no longer known to be symmetric.
template <value_type T>
void resize(matrix<T>& a, index_t rows, index_t columns) {
  detail::resize(a.base(), rows, columns);
}

}  // namespace tropic
