// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/launch_log.hpp"

#include <algorithm>
#include <map>

namespace tropic::detail {

std::shared_ptr<launch_log> launch_log::of(cu_context context) {
  static std::mutex mutex;
  static std::map<cu_context, std::weak_ptr<launch_log>> logs;
  const std::lock_guard lock(mutex);
  std::erase_if(logs, [](const auto& held) { return held.second.expired(); });
  std::shared_ptr<launch_log> found = logs[context].lock();
  if (found == nullptr) logs[context] = found = std::make_shared<launch_log>();
  return found;
}

void launch_log::note(const void* who, std::string_view operation) {
  const std::lock_guard lock(mutex_);
  ++count_;
  for (entry& e : entries_)
    if (e.who == who && e.operation == operation) {
      e.last = count_;
      return;
    }
  entries_.push_back({who, std::string(operation), count_});
}

std::uint64_t launch_log::mark() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void launch_log::settle(const void* who, std::uint64_t mark) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const entry& e) { return e.who == who && e.last <= mark; });
}

std::string launch_log::pending() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string_view> names;
  for (const entry& e : entries_)
    if (std::find(names.begin(), names.end(), e.operation) == names.end())
      names.push_back(e.operation);
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (n > 0) text += n + 1 == names.size() ? " or " : ", ";
    text += names[n];
  }
  return text;
}

std::string launch_log::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void launch_log::lose(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (lost_.empty()) lost_ = message;
  is_lost_ = true;
}

}  // namespace tropic::detail
