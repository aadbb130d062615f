// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of two ways to compute the same result is the faster one, by the times of calls. It depends
// on caches that other programs use as well, which no model of a machine covers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>

namespace tropic::detail {

enum class call_way : std::uint8_t { usual, other };

/// Calls of one kind take the two ways in turns until each has been measured `tries` times. The way
/// of the shortest time wins, for calls of all kinds.
class call_trial {
 public:
  static constexpr int tries = 3;

  /// The way of the next call. Only calls of the same `kind` are compared with each other. Null: a
  /// call that is not measured; it takes the usual way until the trial has ended.
  call_way next(const void* kind) {
    const std::lock_guard lock(mutex_);
    if (winner_) return *winner_;
    if (kind == nullptr) return call_way::usual;
    const measurements* known = find(kind);
    if (known == nullptr) {
      kinds_[oldest_] = {.kind = kind};
      known = &kinds_[oldest_];
      oldest_ = (oldest_ + 1) % kinds_.size();
    }
    return known->usual.calls < known->other.calls ? call_way::usual : call_way::other;
  }

  /// The time of a call that went the way that `next` returned. Returns the winner once the trial
  /// has ended.
  std::optional<call_way> record(const void* kind, call_way taken, double seconds) {
    const std::lock_guard lock(mutex_);
    measurements* const known = kind != nullptr ? find(kind) : nullptr;
    if (winner_ || known == nullptr) return winner_;
    calls_of_way& way = taken == call_way::usual ? known->usual : known->other;
    ++way.calls;
    if (seconds < way.least) way.least = seconds;
    if (known->usual.calls >= tries && known->other.calls >= tries)
      winner_ = known->other.least < known->usual.least ? call_way::other : call_way::usual;
    return winner_;
  }

 private:
  struct calls_of_way {
    int calls = 0;
    double least = std::numeric_limits<double>::infinity();
  };
  struct measurements {
    const void* kind = nullptr;
    calls_of_way usual{}, other{};
  };

  measurements* find(const void* kind) {
    for (measurements& one : kinds_)
      if (one.kind == kind) return &one;
    return nullptr;
  }

  std::mutex mutex_;
  std::array<measurements, 4> kinds_{};
  std::size_t oldest_ = 0;  // of kinds_: the next to be replaced
  std::optional<call_way> winner_;
};

}  // namespace tropic::detail
