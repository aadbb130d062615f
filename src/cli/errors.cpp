// SPDX-License-Identifier: Apache-2.0

// Every way to end: the exit code of each kind of exception and its one line on standard error.
// Only expressions of the operator language get more lines, to point at the place.

#include "cli/errors.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <tropic/error.hpp>

namespace tropic::cli {

namespace {

void complain(const char* message) {
  std::fprintf(stderr, "tropic: %s\n", message);
}

}  // namespace

void print(std::string_view text) {
  const int failed = files::write_all(STDOUT_FILENO, text);
  if (failed == EPIPE) throw output_closed("standard output is closed");
  if (failed != 0) files::refuse("standard output", failed);
}

exit_code explain_exception() noexcept {
  try {
    throw;
  } catch (const cancelled&) {
    complain("interrupted");
    return interrupted;
  } catch (const output_closed&) {
    return success;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& failure) {
    complain(failure.what());
  } catch (...) {
    complain("an unknown failure");
  }
  return bad_usage;
}

}  // namespace tropic::cli
