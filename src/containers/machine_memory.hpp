// SPDX-License-Identifier: Apache-2.0
#pragma once

// What memory this machine has: how much a process may ever hold, and how much is left.

#include <cstddef>

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

/// Bytes that a process can hold at the most: memory and swap, less where its control group is
/// limited (the largest number where nothing is known). Asked of the system once.
TROPIC_API std::size_t machine_memory();

/// Bytes that this process can still get without swapping: what the machine has, the limits of its
/// control groups and of the process itself (the largest number where unknown).
TROPIC_API std::size_t available_memory();

}  // namespace tropic::detail
