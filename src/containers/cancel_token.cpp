// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <tropic/context.hpp>

namespace tropic {

struct cancel_token::flag {
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");
  std::atomic<bool> is_set{false};
};

cancel_token::cancel_token() : flag_(std::make_shared<flag>()) {}

void cancel_token::cancel() const noexcept {
  flag_->is_set.store(true);
}
void cancel_token::reset() const noexcept {
  flag_->is_set.store(false);
}
bool cancel_token::is_cancelled() const noexcept {
  return flag_->is_set.load();
}

}  // namespace tropic
