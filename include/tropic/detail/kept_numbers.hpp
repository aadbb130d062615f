// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers that algorithms compute from a matrix and ask for in every call.

#include <functional>
#include <string_view>

#include <tropic/detail/containers.hpp>

namespace tropic::detail {

/// compute(), which is kept with the matrix under that name until the matrix changes. Threads that
/// ask at the same time may all compute it.
TROPIC_API double kept_number(const matrix_base& a, std::string_view name,
                              const std::function<double()>& compute);

}  // namespace tropic::detail
