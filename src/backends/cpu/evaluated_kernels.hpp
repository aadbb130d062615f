// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/detail/cpu_kernels.hpp>

namespace tropic::detail {

/// The product kernels of semirings that no program has instantiated: given as text at run time.
extern const cpu_kernel_table evaluated_kernels;

}  // namespace tropic::detail
