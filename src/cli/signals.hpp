// SPDX-License-Identifier: Apache-2.0
#pragma once

// The signals that ask the program to end: Ctrl+C, `kill`, a terminal that closes, limits of time.

#include "cli/program.hpp"

namespace tropic::cli {

/// The first signal sets `cancel`, at which every long-running step looks; what is written is
/// removed on the way out. A second one removes the temporary files and ends the process at once,
/// and so does SIGQUIT. Signals that are ignored stay ignored (nohup, jobs in the background).
void install_signals(const cancel_token& cancel);

/// The first signal, or 0.
int caught_signal() noexcept;

/// What main returns. After `interrupted` it ends the process by the signal that was caught: a
/// shell sees 128 + its number, and a loop in a script ends, too, which it does not after
/// exit(130).
int end_with(exit_code code) noexcept;

}  // namespace tropic::cli
