// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that wait for their bucket in a search by delta-stepping, by the values that a full
// vector w has there. The next buckets have a list each; positions further away wait in one list,
// which is distributed when the lists are empty. A position may be listed several times: its value
// has become smaller since, and only the bucket of the last one counts.
//
// The positions of each owner (round_arguments) wait in a queue of their own, which only that
// thread touches. All queues are in the same bucket: before it starts, each says where its lowest
// one is.

#include <array>
#include <cstdint>
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

  /// Takes positions whose values lie past the current bucket.
  virtual void add(const std::uint32_t* positions, std::size_t count) = 0;
  /// Which of `count` positions have values in the current bucket: copied to `inside`, the others
  /// to `outside`. Returns how many lie inside.
  virtual std::size_t split(const std::uint32_t* positions, std::size_t count,
                            std::uint32_t* inside, std::uint32_t* outside) const = 0;
  /// The number of positions in the list that `look` reads first, some of which may be done.
  virtual std::size_t next_count() const = 0;
  /// Finds the lowest bucket that has a position of this queue, for the `start` with the same slot,
  /// 0 or 1: one is read while the other is written. Returns whether there is one. `marks`: a bit a
  /// position, none set, before and after.
  virtual bool look(unsigned slot, std::uint64_t* marks) = 0;
  /// What the last `look`, with the other slot, has found. Returns as it did.
  virtual bool look_again(unsigned slot) = 0;
  /// Makes the lowest bucket of all queues, in which there is a position, the current one, and
  /// lists its positions in this queue, each once. None if the value there is infinite or NaN.
  virtual std::size_t start(const all& queues, unsigned slot, std::uint32_t* positions) = 0;
  /// All that wait, each once; `marks` as in `look`.
  virtual std::vector<std::uint32_t> waiting(std::uint64_t* marks) const = 0;
};

template <class T>
class bucket_queue_of final : public bucket_queue {
 public:
  bucket_queue_of(T width, const T* w) : order_{width}, w_(w) {}

  void add(const std::uint32_t* positions, std::size_t count) override {
    if (!started_)
      far_.insert(far_.end(), positions, positions + count);
    else
      for (std::size_t n = 0; n < count; ++n) place(positions[n], cursor_);
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
    for (std::size_t at = cursor_; near_count_ > 0 && at < near_.size(); ++at)
      if (!near_[at].empty()) return near_[at].size();
    return far_.size();
  }

  bool look(unsigned slot, std::uint64_t* marks) override {
    lowest_[slot] = find_lowest(marks);
    return lowest_[slot].where != place_of::none;
  }
  bool look_again(unsigned slot) override {
    lowest_[slot] = lowest_[1 - slot];
    return lowest_[slot].where != place_of::none;
  }

  std::size_t start(const all& queues, unsigned slot, std::uint32_t* positions) override {
    lowest of_all;
    for (const auto& queue : queues) {
      const lowest& other = static_cast<const bucket_queue_of&>(*queue).lowest_[slot];
      if (other.where < of_all.where)
        of_all = other;
      else if (other.where == of_all.where)
        of_all.value = std::min(of_all.value, other.value);
    }
    if (of_all.where == place_of::far) distribute(order_.number(of_all.value));
    const T at = static_cast<T>(order_.number(of_all.value) - base_);
    // Infinite values and NaN have no bucket.
    if (!(at >= T{} && at < static_cast<T>(near_.size()))) return 0;
    cursor_ = static_cast<std::size_t>(at);
    std::vector<std::uint32_t>& list = near_[cursor_];  // without those that are done, by `look`
    near_count_ -= list.size();
    end_ = order_.end(of_all.value);
    started_ = true;
    // If the width is less than the difference of adjacent values, a bucket holds one value.
    std::size_t inside = 0, rest = 0;
    for (const std::uint32_t j : list) {
      if (w_[j] < end_ || end_ == std::numeric_limits<T>::max())
        positions[inside++] = j;
      else
        list[rest++] = j;
    }
    list.resize(rest);
    near_count_ += rest;
    return inside;
  }

  std::vector<std::uint32_t> waiting(std::uint64_t* marks) const override {
    std::vector<std::uint32_t> all;
    const auto add = [&](const std::vector<std::uint32_t>& list) {
      for (const std::uint32_t j : list)
        if (!is_done(j) && !is_marked(marks, j)) all.push_back(j);
    };
    for (const auto& list : near_) add(list);
    add(far_);
    for (const std::uint32_t j : all) marks[j / 64] = 0;
    return all;
  }

 private:
  enum class place_of { near, far, none };
  struct lowest {
    place_of where = place_of::none;
    T value{};  // the least
  };

  // Marks j; whether it was marked.
  static bool is_marked(std::uint64_t* marks, std::uint32_t j) {
    const std::uint64_t bit = std::uint64_t{1} << (j % 64);
    const bool before = (marks[j / 64] & bit) != 0;
    marks[j / 64] |= bit;
    return before;
  }
  // larger - smaller; the largest value of the type if that has no room for it.
  static T difference(T larger, T smaller) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
      if (smaller < 0 && larger > std::numeric_limits<T>::max() + smaller)
        return std::numeric_limits<T>::max();
    return static_cast<T>(larger - smaller);
  }
  // Whether j's value is in a bucket before the next one.
  bool is_done(std::uint32_t j) const { return started_ && w_[j] < end_; }

  // In the list of its bucket if that is `first` or a later one, else far away.
  void place(std::uint32_t j, std::size_t first) {
    const T number = order_.number(w_[j]);
    const T distance = number >= base_ ? difference(number, base_) : T{};
    if (number >= base_ && distance >= static_cast<T>(first) &&
        distance < static_cast<T>(near_.size())) {
      near_[static_cast<std::size_t>(distance)].push_back(j);
      ++near_count_;
    } else {
      far_.push_back(j);
    }
  }

  // Leaves the positions of a list that still wait, each once.
  void drop_done(std::vector<std::uint32_t>& list, std::uint64_t* marks) {
    std::erase_if(list, [&](std::uint32_t j) { return is_done(j) || is_marked(marks, j); });
    for (const std::uint32_t j : list) marks[j / 64] = 0;
  }

  // The current bucket stays: others may still send what belongs in between.
  lowest find_lowest(std::uint64_t* marks) {
    for (std::size_t at = cursor_; near_count_ > 0; ++at) {
      std::vector<std::uint32_t>& list = near_[at];
      near_count_ -= list.size();
      drop_done(list, marks);
      near_count_ += list.size();
      if (!list.empty()) return {place_of::near, least(list)};
    }
    drop_done(far_, marks);
    return far_.empty() ? lowest{} : lowest{place_of::far, least(far_)};
  }
  T least(const std::vector<std::uint32_t>& list) const {
    T value = w_[list.front()];
    for (const std::uint32_t j : list) value = std::min(value, w_[j]);
    return value;
  }

  // Puts the near ones of those far away into their lists, which are empty and begin with a bucket.
  void distribute(T first) {
    base_ = first;
    cursor_ = 0;
    const std::vector<std::uint32_t> from = std::move(far_);
    far_.clear();
    for (const std::uint32_t j : from)
      if (!is_done(j)) place(j, 0);
  }

  const buckets<T> order_;
  const T* const w_;
  std::array<std::vector<std::uint32_t>, 64> near_;  // of the buckets from base_ on
  std::vector<std::uint32_t> far_;
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
