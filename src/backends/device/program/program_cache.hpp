// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled programs on disk, so that a program is compiled once a machine and not once a run. A
// cache that is corrupt or cannot be written costs time, never a result: it gives one notice.
//
// Where: $TROPIC_CACHE_DIR, else $XDG_CACHE_HOME/tropic, else ~/.cache/tropic; TROPIC_CACHE=off
// turns it off. An entry is a header (magic, key, size, checksum) and the compiler's binary; it is
// written beside its place and renamed, so that no reader sees half of one. Thread-safe.

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tropic::detail {

/// While one lives, notices of this thread wait: it holds a lock that a callback of the log, which
/// may use its context, would ask for again.
class held_notices {
 public:
  held_notices() = default;
  ~held_notices();
  held_notices(const held_notices&) = delete;
  held_notices& operator=(const held_notices&) = delete;
  /// Gives them, where no other is alive in this thread. What they throw is the caller's.
  void give();
  /// Calls `notice`: now, or where one lives in this thread, later.
  static void say(std::function<void()> notice);

 private:
  static thread_local held_notices* current;
  held_notices* const before_ = std::exchange(current, this);
  std::vector<std::function<void()>> waiting_;
};

class program_cache {
 public:
  using notice = std::function<void(std::string_view)>;
  /// Looks at the environment now. `log` gets at most one notice.
  explicit program_cache(notice log);

  /// The key of a text compiled with `options` for `device` (its name, driver and platform), and
  /// for this build of the library.
  static std::string key_of(std::string_view text, std::string_view options,
                            std::string_view device);

  /// The entry, or none where there is none or it is damaged.
  std::optional<std::vector<unsigned char>> load(const std::string& key);
  /// Whether there is an entry, damaged or not.
  bool has(const std::string& key) const;
  void store(const std::string& key, std::span<const unsigned char> binary);
  /// To say that what load() gave is of no use to the device after all.
  void reject(const std::string& key);

  const std::filesystem::path& folder() const { return folder_; }  // empty: off
  int hits() const { return hits_; }

 private:
  void warn(const std::string& message);

  notice log_;
  std::filesystem::path folder_;
  std::atomic<bool> warned_{false};
  std::atomic<int> hits_{0};
};

}  // namespace tropic::detail
