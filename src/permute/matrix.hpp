// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/containers.hpp>
#include <tropic/permutation.hpp>

namespace tropic::detail {

/// The matrix with its rows and columns in new orders, of which one is not the identity. Throws
/// cancelled, out_of_memory.
matrix_base permuted_on_host(const matrix_base&, const permutation& rows,
                             const permutation& columns);

}  // namespace tropic::detail
