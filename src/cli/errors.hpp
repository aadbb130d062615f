// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard output and how a run ends.

#include <string_view>

#include "cli/program.hpp"
#include "files/output.hpp"

namespace tropic::cli {

/// The reader of what the program writes has closed it. The program ends without a word where
/// nothing else was to be written.
using files::output_closed;

/// A message of several lines, which point at a place in a text.
class pointed_error : public usage_error {
 public:
  using usage_error::usage_error;
};

/// Writes all of it to standard output, past every buffer. Throws output_closed, or error where
/// the system refuses (a full disk).
void print(std::string_view text);

/// "tropic: MESSAGE" on standard error. Names of files may hold any bytes: what does not print is
/// written as \xNN, so that there is one line and the terminal obeys none of it.
void complain(std::string_view message);
/// The same, line by line.
void complain_in_lines(std::string_view message);

/// The line on standard error for the exception in flight, and the exit code it stands for.
exit_code explain_exception() noexcept;

}  // namespace tropic::cli
