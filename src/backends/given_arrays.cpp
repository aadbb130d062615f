// SPDX-License-Identifier: Apache-2.0

// What a backend does with arrays that were given on its device, where it has no better way: they
// are looked at on the host.

#include <tropic/detail/arrays.hpp>

#include "backends/backend.hpp"

namespace tropic::detail {

void backend::examine(matrix_base& m, const csr_words& words, bool trusted) {
  inspect_csr(m, {.trusted = trusted}, words);
}

buffer_pointer backend::narrowed(const context_pointer& context, const buffer_pointer& wide,
                                 std::size_t count, index_t limit, const char* what) {
  const given_array given{count > 0 ? wide->host() : nullptr, count, 8, 8};
  check_indices(*context, given, limit, what);
  return detail::narrowed(context, given.data, 8, count);
}

}  // namespace tropic::detail
