// SPDX-License-Identifier: Apache-2.0
#pragma once

// The `tropic` program, for its main() and for the Python package.

namespace tropic::cli {

/// Runs the program and returns the exit status of the process. The process must end then, since
/// the handlers of signals stay. `may_restart`: the process may execute its own file again, so that
/// threads of OpenMP wait passively.
int run_command_line(int count, char** arguments, bool may_restart);

}  // namespace tropic::cli
