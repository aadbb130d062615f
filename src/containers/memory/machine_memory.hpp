// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memory of this machine: how much a process may ever use, and how much is left.

#include <cstddef>

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

/// The maximum bytes that a process can use: memory and swap, or the limit of its control group if
/// that is less (the largest number if nothing is known). Determined once.
TROPIC_API std::size_t machine_memory();

/// Bytes that this process can still get without swapping: by the memory of the machine, the limits
/// of its control groups and of the process itself (the largest number if unknown).
TROPIC_API std::size_t available_memory();

}  // namespace tropic::detail
