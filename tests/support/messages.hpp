// SPDX-License-Identifier: Apache-2.0
#pragma once

// The message of an expected error, for comparison with the text that users should see.

#include <string>

#include <tropic/error.hpp>

namespace tropic::testing {

/// What message_of returns for an action that throws nothing.
inline constexpr const char* no_error = "(no error)";

/// The message of the Error that `action` throws. Exceptions of other types pass through.
template <class Error = error, class Action>
[[nodiscard]] std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return no_error;
}

}  // namespace tropic::testing
