// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan says which kernel a product runs and why. It is an immutable value apart from the matrix.
// Today's rule is fixed: it looks at what CSR knows already and at the input's entries.

#include <string>
#include <string_view>

#include <tropic/semirings/types.hpp>

namespace tropic {

struct plan {
  /// "reference", "pull", "push", "csr_scalar", ...; empty: the library chooses at each call.
  std::string_view kernel{};
  /// How often the caller will multiply by this matrix: what must be built first, a transpose say,
  /// is weighed against this many calls.
  index_t expected_calls = 1;
  /// One sentence for a human.
  std::string reason{};
};

}  // namespace tropic
