// SPDX-License-Identifier: Apache-2.0

// What a backend does with arrays that were given on its device, where it has no better way: they
// are looked at on the host.

#include <tropic/detail/arrays.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

void backend::examine(matrix_base& m, index_t limit, bool trusted) {
  if (!trusted && limit < m.columns && m.nnz > 0)
    check_indices(*m.context,
                  {m.column_indices->host(), static_cast<std::size_t>(m.nnz), 4, 4, true}, limit,
                  "matrix: index");
  inspect_csr(m, trusted);
}

buffer_pointer backend::narrowed(const context_pointer& context, const buffer_pointer& wide,
                                 std::size_t count, index_t limit, const char* what) {
  const given_array given{count > 0 ? wide->host() : nullptr, count, 8, 8};
  check_indices(*context, given, limit, what);
  return detail::narrowed(context, given.data, 8, count);
}

}  // namespace tropic::detail
