// SPDX-License-Identifier: Apache-2.0
#pragma once

// Allocation functions do not know the operation that they serve: these helpers add its name to the
// error.

#include <utility>

#include <tropic/error.hpp>

namespace tropic::detail {

/// Calls `act` and returns its result; if it runs out of memory, the error names the step.
template <class Act>
decltype(auto) in_step(const char* step, Act&& act) {
  try {
    return std::forward<Act>(act)();
  } catch (const out_of_memory& cause) {
    throw out_of_memory(step, cause);
  }
}

}  // namespace tropic::detail
