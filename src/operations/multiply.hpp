// SPDX-License-Identifier: Apache-2.0
#pragma once

// Products that operations are made of.

#include <tropic/detail/operations.hpp>

#include "backends/product.hpp"

namespace tropic::detail {

/// As multiply of tropic/detail/operations.hpp. `name`: in messages.
void multiply(const char* name, vector_base& w, const product& p,
              const output_options<vector_base>& options);

}  // namespace tropic::detail
