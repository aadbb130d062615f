// SPDX-License-Identifier: Apache-2.0
#pragma once

// Asking before allocating: an error that names the bytes instead of a process that is killed.

#include <cstddef>
#include <string>

#include "containers/machine_memory.hpp"

namespace tropic::io::detail {

using tropic::detail::available_memory;

/// Throws out_of_memory unless count * size bytes are available.
void require_memory(std::size_t count, std::size_t size, const std::string& what_for);

}  // namespace tropic::io::detail
