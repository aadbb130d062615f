// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard output and how a run ends.

#include <string_view>

#include "cli/program.hpp"
#include "files/output.hpp"

namespace tropic::cli {

/// The reader of what the program writes has closed it: the program ends without a word.
using files::output_closed;

/// Writes all of it to standard output, past every buffer. Throws output_closed, or error where
/// the system refuses (a full disk).
void print(std::string_view text);

/// The line on standard error for the exception in flight, and the exit code it stands for.
exit_code explain_exception() noexcept;

}  // namespace tropic::cli
