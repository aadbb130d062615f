// SPDX-License-Identifier: Apache-2.0

// A table of fixed size: a signal handler may neither allocate nor lock.
//
// O_TMPFILE with linkat() would leave no file even after SIGKILL. But whether such a file can be
// given a name is only known when the work is done: linkat() needs /proc or a capability, and some
// file systems and security modules refuse it. A lost result is worse than a file left over. A file
// that replaces another needs a temporary name in any case, for rename().

#include "file_output/temporaries.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

namespace tropic::files {

namespace {

enum class state { empty, changing, noted };

struct slot {
  std::atomic<state> now = state::empty;
  int folder = -1;
  std::array<char, 256> name{};  // NAME_MAX and the terminating zero
};
static_assert(std::atomic<state>::is_always_lock_free, "a signal handler reads it");

std::array<slot, 16> slots;

}  // namespace

void temporary_note::set(int folder, const std::string& name) {
  clear();
  for (std::size_t n = 0; n < slots.size() && name.size() < slots[n].name.size(); ++n) {
    slot& s = slots[n];
    state expected = state::empty;
    if (!s.now.compare_exchange_strong(expected, state::changing)) continue;
    s.folder = folder;
    std::memcpy(s.name.data(), name.c_str(), name.size() + 1);
    s.now.store(state::noted);
    slot_ = static_cast<int>(n);
    return;
  }
}

void temporary_note::clear() noexcept {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].now.store(state::empty);
  slot_ = -1;
}

void remove_temporaries() noexcept {
  for (slot& s : slots)
    if (s.now.load() == state::noted) ::unlinkat(s.folder, s.name.data(), 0);
}

}  // namespace tropic::files
