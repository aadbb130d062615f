// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard output, error messages and exit codes.

#include <string_view>

#include "cli/program.hpp"
#include "file_output/output.hpp"

namespace tropic::cli {

/// The reader of an output has closed it. If nothing else was to be written, the program ends
/// silently.
using files::output_closed;

/// A message of several lines, which point at a position in a text.
class pointed_error : public usage_error {
 public:
  using usage_error::usage_error;
};

/// Writes `text` to standard output, unbuffered. Throws output_closed, or error if the system
/// reports a failure (a full disk).
void print(std::string_view text);

/// The name that messages begin with; "tropic" by default. `name` is not copied.
void set_program_name(const char* name);

/// Prints "tropic: MESSAGE" on standard error. Names of files may hold any bytes: unprintable ones
/// are written as \xNN, so that the message is one line without control characters.
void complain(std::string_view message);
/// The same for a message of several lines.
void complain_in_lines(std::string_view message);

/// Prints the message for the current exception; returns its exit code.
exit_code explain_exception() noexcept;

}  // namespace tropic::cli
