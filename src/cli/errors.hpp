// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard output and how a run ends.

#include <stdexcept>
#include <string_view>

#include "cli/program.hpp"

namespace tropic::cli {

/// Whoever read our standard output has closed it: the program ends without a word.
class output_closed : public std::runtime_error {
 public:
  output_closed() : std::runtime_error("standard output is closed") {}
};

/// Writes all of it to standard output, past every buffer. Throws output_closed, or error where
/// the system refuses (a full disk).
void print(std::string_view text);

/// The line on standard error for the exception in flight, and the exit code it stands for.
exit_code explain_exception() noexcept;

}  // namespace tropic::cli
