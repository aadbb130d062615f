// SPDX-License-Identifier: Apache-2.0
#pragma once

// Memory knows neither what it is wanted for nor in which operation: whoever does puts the name in
// front of the error on its way out.

#include <utility>

#include <tropic/error.hpp>

namespace tropic::detail {

/// What `act` gives; where it runs out of memory, the error names the step.
template <class Act>
decltype(auto) in_step(const char* step, Act&& act) {
  try {
    return std::forward<Act>(act)();
  } catch (const out_of_memory& cause) {
    throw out_of_memory(step, cause);
  }
}

}  // namespace tropic::detail
