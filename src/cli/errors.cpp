// SPDX-License-Identifier: Apache-2.0

// Every way to end: the exit code of each kind of exception and its one line on standard error.
// Only expressions of the operator language get more lines, to point at the place.

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

void print(std::string_view text) {
  const int failed = files::write_all(STDOUT_FILENO, text);
  if (failed == EPIPE) throw output_closed("standard output: cannot write: its reader is gone");
  if (failed != 0) files::refuse("standard output", failed);
}

void complain(std::string_view message) {
  std::string text = "out of memory";
  try {
    text = io::detail::printable(message);
  } catch (const std::bad_alloc&) {  // what has to be said may be just that
  }
  std::fprintf(stderr, "tropic: %s\n", text.c_str());
}

void complain_in_lines(std::string_view message) {
  std::string text;
  for (std::size_t from = 0, to = 0; to != std::string_view::npos; from = to + 1) {
    to = message.find('\n', from);
    text += io::detail::printable(message.substr(from, to - from)) + "\n";
  }
  std::fprintf(stderr, "tropic: %s", text.c_str());
}

exit_code explain_exception() noexcept {
  // What fails after a signal may fail by it: a system call that was waiting ends.
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
  } catch (const output_closed&) {  // all that was to be written
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
