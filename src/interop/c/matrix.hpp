// SPDX-License-Identifier: Apache-2.0
#pragma once

// Other values for the entries of a matrix, whose offsets and columns are shared.

#include "interop/c/support.hpp"

namespace tropic::c_abi {

/// Every entry true. Made once for a handle.
const detail::matrix_base& pattern_of(const tropic_matrix& m);

/// The same values in another type, which is not bool. Throws usage_error where an integer does not
/// fit, and for floating values in a type that is not as wide.
detail::matrix_base converted(const detail::matrix_base& m, type_code to);

}  // namespace tropic::c_abi
