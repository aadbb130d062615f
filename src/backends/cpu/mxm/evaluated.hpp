// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/cpu/mxm_table.hpp>

namespace tropic::detail {

/// For semirings that are not instantiated: those given as text at run time.
extern const cpu_mxm_kernel_table evaluated_mxm_kernels;

}  // namespace tropic::detail
