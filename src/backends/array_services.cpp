// SPDX-License-Identifier: Apache-2.0

// What a backend does by default with arrays that users passed on its device: the host reads them.

#include <tropic/detail/arrays.hpp>

#include "backends/array_services.hpp"

namespace tropic::detail {

void array_services::examine(matrix_base& m, const csr_words& words, bool trusted) {
  inspect_csr(m, {.trusted = trusted}, words);
}

buffer_pointer array_services::narrowed(const context_pointer& context, const buffer_pointer& wide,
                                        std::size_t count, index_t limit, const char* what) {
  const given_array given{count > 0 ? wide->host() : nullptr, count, 8, 8};
  check_indices(*context, given, limit, what);
  return detail::narrowed(context, given.data, 8, count);
}

}  // namespace tropic::detail
