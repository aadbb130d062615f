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
/// "tropic: MESSAGE" on standard error. Names of files may hold any bytes: what does not print is
/// written as \xNN, so that there is one line and the terminal obeys none of it.
void complain(std::string_view message);
/// The same, line by line.
void complain_in_lines(std::string_view message);

