// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compilations that were started before their results are needed, each in a thread of its own. They
// only turn text into code: caches, drivers and logs are left to the thread that asks for the
// result.

#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

namespace tropic::detail {

class background_compilations {
 public:
  using work = std::function<std::string()>;

  /// Nothing happens where one of that key runs, where all processors but one have a compilation,
  /// and where no thread can be started.
  void start(const std::string& key, work compile) {
    const std::lock_guard lock(mutex_);
    if (running_.contains(key) || running_.size() + 1 >= std::thread::hardware_concurrency())
      return;
    try {
      running_.emplace(key, std::async(std::launch::async, std::move(compile)));
    } catch (const std::system_error&) {
    }
  }
  /// Waits for the one of that key; none where it was not started. Throws what it has thrown.
  std::optional<std::string> take(const std::string& key) {
    std::future<std::string> result;
    {
      const std::lock_guard lock(mutex_);
      const auto found = running_.find(key);
      if (found == running_.end()) return {};
      result = std::move(found->second);
      running_.erase(found);
    }
    return result.get();
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::future<std::string>> running_;  // its destructor waits for them
};

}  // namespace tropic::detail
