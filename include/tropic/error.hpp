// SPDX-License-Identifier: Apache-2.0
#pragma once

// The exceptions of the library. Messages state what was found and what was expected.

#include <cstddef>
#include <stdexcept>
#include <string>

#include <tropic/semirings/export.hpp>

namespace tropic {

/// Base of the errors that Tropic throws, with two exceptions: errors in operator text
/// (expression_error, semirings/typing.hpp) derive from std::runtime_error alone, and an operator's
/// parameter that its type cannot hold is a std::out_of_range.
class TROPIC_API error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Invalid arguments: dimensions, contexts, types or options that do not match.
class TROPIC_API usage_error : public error {
 public:
  using error::error;
};

/// A file or stream whose content violates its format.
/// what() reads `FILE:LINE: found X, expected Y`.
class TROPIC_API input_error : public error {
 public:
  /// `line` is 1-based; 0: no line (a file that cannot be opened).
  input_error(const std::string& file, std::size_t line, const std::string& found,
              const std::string& expected);
};

/// An allocation that exceeds the memory limit, or the memory of the machine or the device; names
/// the operation.
class TROPIC_API out_of_memory : public error {
 public:
  /// The value of `available` if it is not known; the message omits it then.
  static constexpr std::size_t unknown = ~std::size_t{0};

  out_of_memory(std::size_t needed, std::size_t free, const std::string& what_for);
  /// The same error, with the step in which it occurred prepended to the message.
  out_of_memory(const std::string& step, const out_of_memory& cause);
  std::size_t required;
  std::size_t available;
};

/// A device, driver or run-time compiler that is missing or has failed; names the operation.
class TROPIC_API device_error : public error {
 public:
  using error::error;
};

/// The cancel token of the context was set.
class TROPIC_API cancelled : public error {
 public:
  cancelled() : error("cancelled") {}
};

}  // namespace tropic
