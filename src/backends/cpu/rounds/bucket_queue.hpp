// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that wait for their bucket in a search by delta-stepping, with the values that a
// full vector w had there. The next buckets have a list each; positions further away wait in one
// list, which is distributed when the lists are empty. A position may be listed several times: its
// value has become smaller since, and only the entry with the value of w counts.
//
// Every thread has a queue, which only it touches. All queues are in the same bucket: before it
// starts, each says where its lowest one is. In rounds that threads share by position, a queue
// holds the positions of its owner (round_arguments); large rounds put them anywhere.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include <tropic/semirings/types.hpp>

#include "backends/buckets.hpp"

namespace tropic::detail::on_cpu {

class bucket_queue {
 public:
  /// All queues of a search.
  using all = std::vector<std::unique_ptr<bucket_queue>>;

  virtual ~bucket_queue() = default;

  /// Takes positions with the values that w had there: any.
  virtual void add(const std::uint32_t* positions, const void* values, std::size_t count) = 0;
  /// The same with the values that w has.
  virtual void add(const std::uint32_t* positions, std::size_t count) = 0;
  /// Which of `count` positions have values in the current bucket: copied to `inside`, the others
  /// to `outside`. Returns how many lie inside.
  virtual std::size_t split(const std::uint32_t* positions, std::size_t count,
                            std::uint32_t* inside, std::uint32_t* outside) const = 0;
  /// The number of entries in the list that `look` reads first, some of which may not count.
  virtual std::size_t next_count() const = 0;
  /// Finds the lowest bucket that has a position of this queue, for the `start` with the same slot,
  /// 0 or 1: one is read while the other is written. Returns whether there is one.
  virtual bool look(unsigned slot) = 0;
  /// What the last `look`, with the other slot, has found. Returns as it did.
  virtual bool look_again(unsigned slot) = 0;
  /// Makes the lowest bucket of all queues, in which there is a position, the current one. Returns
  /// how many of its positions are in this queue, each once. None if the value there is infinite or
  /// NaN.
  virtual std::size_t start(const all& queues, unsigned slot) = 0;
  /// These positions and their values leave the queue.
  virtual void take(std::uint32_t* positions, void* values) = 0;
  /// Leaves the positions that `owner`, of `owners`, has in blocks of `block`; the others go to the
  /// queues of their owners.
  virtual void give_away(const all& queues, std::uint32_t owner, std::uint32_t owners,
                         std::uint32_t block) = 0;
  /// This queue, which is empty, is in the bucket of another one.
  virtual void follow(const bucket_queue& other) = 0;
  /// All that wait, each once.
  virtual std::vector<std::uint32_t> waiting() const = 0;
};

template <class T>
class bucket_queue_of final : public bucket_queue {
 public:
  bucket_queue_of(T width, const T* w) : order_{width}, w_(w) {}

  void add(const std::uint32_t* positions, const void* values, std::size_t count) override {
    for (std::size_t n = 0; n < count; ++n) place({positions[n], static_cast<const T*>(values)[n]});
  }
  void add(const std::uint32_t* positions, std::size_t count) override {
    for (std::size_t n = 0; n < count; ++n) place({positions[n], w_[positions[n]]});
  }

  std::size_t split(const std::uint32_t* positions, std::size_t count, std::uint32_t* inside,
                    std::uint32_t* outside) const override {
    std::size_t in = 0;
    for (std::size_t n = 0; n < count; ++n) {
      const bool is_inside = w_[positions[n]] < end_;
      inside[in] = positions[n];
      outside[n - in] = positions[n];
      in += is_inside;
    }
    return in;
  }

  std::size_t next_count() const override {
    if (!inside_.empty()) return inside_.size();
    for (std::size_t at = cursor_; near_count_ > 0 && at < near_.size(); ++at)
      if (!near_[at].empty()) return near_[at].size();
    return far_.size();
  }

  bool look(unsigned slot) override {
    lowest_[slot] = find_lowest();
    return lowest_[slot].where != place_of::none;
  }
  bool look_again(unsigned slot) override {
    lowest_[slot] = lowest_[1 - slot];
    return lowest_[slot].where != place_of::none;
  }

  std::size_t start(const all& queues, unsigned slot) override {
    lowest of_all;
    for (const auto& queue : queues) {
      const lowest& other = static_cast<const bucket_queue_of&>(*queue).lowest_[slot];
      if (other.where < of_all.where)
        of_all = other;
      else if (other.where == of_all.where)
        of_all.value = std::min(of_all.value, other.value);
    }
    if (of_all.where == place_of::inside) return inside_.size();
    if (of_all.where == place_of::far) distribute(order_.number(of_all.value));
    const T at = static_cast<T>(order_.number(of_all.value) - base_);
    // Infinite values and NaN have no bucket.
    if (!(at >= T{} && at < static_cast<T>(near_.size()))) return 0;
    cursor_ = static_cast<std::size_t>(at);
    list& entries = near_[cursor_];  // all of them count, by `look`
    near_count_ -= entries.size();
    end_ = order_.end(of_all.value);
    started_ = true;
    // If the width is less than the difference of adjacent values, a bucket holds one value.
    std::size_t rest = 0;
    for (const waiting_entry& e : entries) {
      if (e.value < end_ || end_ == std::numeric_limits<T>::max())
        inside_.push_back(e);
      else
        entries[rest++] = e;
    }
    entries.resize(rest);
    near_count_ += rest;
    return inside_.size();
  }

  void take(std::uint32_t* positions, void* values) override {
    for (std::size_t n = 0; n < inside_.size(); ++n) {
      positions[n] = inside_[n].position;
      static_cast<T*>(values)[n] = inside_[n].value;
    }
    inside_.clear();
  }

  void give_away(const all& queues, std::uint32_t owner, std::uint32_t owners,
                 std::uint32_t block) override {
    const auto give = [&](list& entries) {
      return std::erase_if(entries, [&](const waiting_entry& e) {
        const std::uint32_t other = e.position / block & (owners - 1);
        if (other == owner) return false;
        if (counts(e)) static_cast<bucket_queue_of&>(*queues[other]).place(e);
        return true;
      });
    };
    give(inside_);
    for (list& entries : near_) near_count_ -= give(entries);
    give(far_);
  }

  void follow(const bucket_queue& other) override {
    const auto& to = static_cast<const bucket_queue_of&>(other);
    cursor_ = to.cursor_;
    base_ = to.base_;
    end_ = to.end_;
    started_ = to.started_;
    lowest_ = {};
  }

  std::vector<std::uint32_t> waiting() const override {
    std::vector<std::uint32_t> all;
    const auto add = [&](const list& entries) {
      for (const waiting_entry& e : entries)
        if (counts(e)) all.push_back(e.position);
    };
    add(inside_);
    for (const list& entries : near_) add(entries);
    add(far_);
    return all;
  }

 private:
  struct waiting_entry {
    std::uint32_t position;
    T value;
  };
  using list = std::vector<waiting_entry>;
  enum class place_of { inside, near, far, none };
  struct lowest {
    place_of where = place_of::none;
    T value{};  // the least
  };

  // larger - smaller; the largest value of the type if that has no room for it.
  static T difference(T larger, T smaller) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
      if (smaller < 0 && larger > std::numeric_limits<T>::max() + smaller)
        return std::numeric_limits<T>::max();
    return static_cast<T>(larger - smaller);
  }
  // Whether it is the last entry of its position: values change whenever they are listed. By bits,
  // as NaN equals nothing.
  bool counts(const waiting_entry& e) const {
    return std::memcmp(&w_[e.position], &e.value, sizeof(T)) == 0;
  }

  // In the list of its bucket if that is the current one or one after it, else far away.
  void place(const waiting_entry& e) {
    if (!started_) return far_.push_back(e);
    if (e.value < end_) return inside_.push_back(e);
    place_outside(e);
  }
  void place_outside(const waiting_entry& e) {
    const T number = order_.number(e.value);
    const T distance = number >= base_ ? difference(number, base_) : T{};
    if (number >= base_ && distance >= static_cast<T>(cursor_) &&
        distance < static_cast<T>(near_.size())) {
      near_[static_cast<std::size_t>(distance)].push_back(e);
      ++near_count_;
    } else {
      far_.push_back(e);
    }
  }

  // Leaves the entries that count. Their least value; none if there are none.
  lowest keep_counting(list& entries, place_of where) const {
    lowest found;
    std::size_t kept = 0;
    for (const waiting_entry& e : entries) {
      if (!counts(e)) continue;
      found.value = kept == 0 ? e.value : std::min(found.value, e.value);
      entries[kept++] = e;
    }
    entries.resize(kept);
    if (kept > 0) found.where = where;
    return found;
  }

  // The current bucket stays: others may still send what belongs in between.
  lowest find_lowest() {
    if (!inside_.empty()) {
      const lowest found = keep_counting(inside_, place_of::inside);
      if (found.where != place_of::none) return found;
    }
    for (std::size_t at = cursor_; near_count_ > 0; ++at) {
      list& entries = near_[at];
      near_count_ -= entries.size();
      const lowest found = keep_counting(entries, place_of::near);
      near_count_ += entries.size();
      if (found.where != place_of::none) return found;
    }
    return keep_counting(far_, place_of::far);
  }

  // Puts the near ones of those far away into their lists, which are empty and begin with a bucket.
  void distribute(T first) {
    base_ = first;
    cursor_ = 0;
    const list from = std::move(far_);
    far_.clear();
    for (const waiting_entry& e : from) place_outside(e);
  }

  const buckets<T> order_;
  const T* const w_;
  list inside_;                // of the current bucket
  std::array<list, 64> near_;  // of the buckets from base_ on
  list far_;
  std::size_t cursor_ = 0;  // the current bucket's list
  std::size_t near_count_ = 0;
  T base_{};
  T end_{};  // of the current bucket
  bool started_ = false;
  std::array<lowest, 2> lowest_;
};

/// `w`: the values, of the type; `width`: a value of it.
std::unique_ptr<bucket_queue> make_bucket_queue(type_code type, const void* width, const void* w);

}  // namespace tropic::detail::on_cpu
