// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.hpp"

#include <atomic>
#include <csignal>

#include "file_output/temporaries.hpp"

namespace tropic::cli {

namespace {

// Sent by `timeout`, batch systems, `ulimit -t`, closed terminals and users to end a program.
// SIGQUIT asks for a core dump of the process as it is.
constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU, SIGQUIT};

const cancel_token* token = nullptr;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "set by a signal handler");

/// In a signal handler it takes effect when the handler returns.
void end_by(int number) {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  ::sigaction(number, &action, nullptr);
  ::raise(number);
}

extern "C" void handle_signal(int number) {
  int none = 0;
  if (number != SIGQUIT && first_signal.compare_exchange_strong(none, number)) {
    token->cancel();
    return;
  }
  files::remove_temporaries();
  end_by(number);
}

}  // namespace

void install_signals(const cancel_token& cancel) {
  token =
      new cancel_token(cancel);  // never destroyed, as a signal may arrive until the process ends
  struct sigaction action {};
  action.sa_handler = handle_signal;
  for (const int number : ending_signals) ::sigaddset(&action.sa_mask, number);
  for (const int number : ending_signals) {
    struct sigaction present {};
    if (::sigaction(number, nullptr, &present) == 0 && present.sa_handler == SIG_DFL)
      ::sigaction(number, &action, nullptr);
  }
  // A closed pipe is an error of write(), so that no half-written --output stays behind.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // and so is the limit of ulimit -f
}

int caught_signal() noexcept {
  return first_signal.load();
}

int end_with(exit_code code) noexcept {
  const int number = caught_signal();
  if (code != interrupted || number == 0) return code;
  end_by(number);
  return 128 + number;
}

}  // namespace tropic::cli
