// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/cpu/spmm_table.hpp>

namespace tropic::detail {

/// For semirings that are not instantiated: those given as text at run time.
extern const cpu_spmm_kernel_table evaluated_spmm_kernels;

}  // namespace tropic::detail
