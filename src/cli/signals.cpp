// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.hpp"

#include <atomic>
#include <csignal>

#include "files/temporaries.hpp"

namespace tropic::cli {

namespace {

// What `timeout`, batch systems, `ulimit -t`, closed terminals and users send to have a program
// end. SIGQUIT asks for a core, as the process stands.
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGXCPU, SIGQUIT};

const cancel_token* token = nullptr;
std::atomic<int> first = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler sets it");

/// In a handler it comes into effect when the handler returns.
void end_by(int number) {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(number, &usual, nullptr);
  ::raise(number);
}

extern "C" void on_ending(int number) {
  int none = 0;
  if (number != SIGQUIT && first.compare_exchange_strong(none, number)) {
    token->cancel();
    return;
  }
  files::remove_temporaries();
  end_by(number);
}

}  // namespace

void install_signals(const cancel_token& cancel) {
  token = new cancel_token(cancel);  // never freed: a signal may arrive until the very end
  struct sigaction ending {};
  ending.sa_handler = on_ending;
  for (const int number : endings) ::sigaddset(&ending.sa_mask, number);
  for (const int number : endings) {
    struct sigaction before {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      ::sigaction(number, &ending, nullptr);
  }
  // A closed pipe is an error of write(), so that no half-written --output stays behind.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // the limit of ulimit -f, likewise
}

int caught_signal() noexcept {
  return first.load();
}

int end_with(exit_code code) noexcept {
  const int number = caught_signal();
  if (code != interrupted || number == 0) return code;
  end_by(number);
  return 128 + number;
}

}  // namespace tropic::cli
