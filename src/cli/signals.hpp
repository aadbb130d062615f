// SPDX-License-Identifier: Apache-2.0
#pragma once

// The signals that ask the program to end: Ctrl+C, `kill`, a closed terminal, time limits.

#include "cli/program.hpp"

namespace tropic::cli {

/// The first signal sets `cancel`, which every long-running step checks; unfinished outputs are
/// removed on the way out. A second signal removes the temporary files and ends the process at
/// once, and so does SIGQUIT. Ignored signals stay ignored (nohup, background jobs).
void install_signals(const cancel_token& cancel);

/// The first signal, or 0.
int caught_signal() noexcept;

/// The return value of main. After `interrupted` it ends the process by the caught signal: a shell
/// then reports 128 + its number and ends a loop in a script, which it does not after exit(130).
int end_with(exit_code code) noexcept;

}  // namespace tropic::cli
