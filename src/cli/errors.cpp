// SPDX-License-Identifier: Apache-2.0

// The exit code of each kind of exception, and its one line on standard error. Only errors in
// expressions of the operator language have further lines, which point at the position.

#include "cli/errors.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include <tropic/error.hpp>

#include "cli/signals.hpp"
#include "io/text.hpp"

namespace tropic::cli {

namespace {
const char* program_name = "tropic";
}

void set_program_name(const char* name) {
  program_name = name;
}

void print(std::string_view text) {
  const int failed = files::write_all(STDOUT_FILENO, text);
  if (failed == EPIPE)
    throw output_closed("standard output: cannot write: its reader has closed it");
  if (failed != 0) files::refuse("standard output", failed);
}

void complain(std::string_view message) {
  std::string text = "out of memory";
  try {
    text = io::detail::printable(message);
  } catch (const std::bad_alloc&) {  // probably the message itself
  }
  std::fprintf(stderr, "%s: %s\n", program_name, text.c_str());
}

void complain_in_lines(std::string_view message) {
  std::string text;
  for (std::size_t from = 0, to = 0; to != std::string_view::npos; from = to + 1) {
    to = message.find('\n', from);
    text += io::detail::printable(message.substr(from, to - from)) + "\n";
  }
  std::fprintf(stderr, "%s: %s", program_name, text.c_str());
}

exit_code explain_exception() noexcept {
  // A failure after a signal may be due to it: the signal ends system calls that wait.
  if (const int number = caught_signal()) {
    complain(number == SIGINT ? "interrupted"
                              : "ended by signal " + std::to_string(number) + ", " +
                                    std::string(::strsignal(number)));
    return interrupted;
  }
  try {
    throw;
  } catch (const cancelled&) {
    complain("interrupted");
    return interrupted;
  } catch (const output_closed&) {  // there was no other output
    return success;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const pointed_error& failure) {
    complain_in_lines(failure.what());
  } catch (const std::exception& failure) {
    complain(failure.what());
  } catch (...) {
    complain("an unknown failure");
  }
  return bad_usage;
}

}  // namespace tropic::cli
