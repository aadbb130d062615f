// SPDX-License-Identifier: Apache-2.0
#pragma once

// The pattern of a matrix, for algorithms that use no values.

#include "interop/c/support.hpp"

namespace tropic::c_abi {

/// Every entry true. Made once for a handle.
const detail::matrix_base& pattern_of(const tropic_matrix& m);

}  // namespace tropic::c_abi
