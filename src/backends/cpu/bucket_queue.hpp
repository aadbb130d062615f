// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that wait for their bucket in a search by delta-stepping, by the values that a full
// vector w has there. The next buckets have a list each; positions further away wait in one list,
// which is distributed when the lists are empty. A position may be listed several times: its value
// has become smaller since, and only the bucket of the last one counts.

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
  virtual ~bucket_queue() = default;

  /// Takes positions whose values lie past the current bucket.
  virtual void add(const std::uint32_t* positions, std::size_t count) = 0;
  /// Which of `count` positions have values in the current bucket: copied to `inside`, the others
  /// to `outside`. Returns how many lie inside.
  virtual std::size_t split(const std::uint32_t* positions, std::size_t count,
                            std::uint32_t* inside, std::uint32_t* outside) const = 0;
  /// Makes the lowest bucket that has a position the current one, and lists its positions, each
  /// once; 0: none waits. `marks`: a bit a position, none set, before and after.
  virtual std::size_t next(std::uint32_t* positions, std::uint64_t* marks) = 0;
  /// All that wait, each once; `marks` as in `next`.
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
      for (std::size_t n = 0; n < count; ++n) place(positions[n], cursor_ + 1);
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

  std::size_t next(std::uint32_t* positions, std::uint64_t* marks) override {
    while (near_count_ > 0 || distribute()) {
      while (near_[cursor_].empty()) ++cursor_;
      std::vector<std::uint32_t>& list = near_[cursor_];
      near_count_ -= list.size();
      std::size_t count = 0;
      T least = std::numeric_limits<T>::max();
      for (const std::uint32_t j : list) {
        if (is_done(j) || is_marked(marks, j)) continue;
        positions[count++] = j;
        least = std::min(least, w_[j]);
      }
      list.clear();
      for (std::size_t n = 0; n < count; ++n) marks[positions[n] / 64] = 0;
      if (count == 0) continue;
      end_ = order_.end(least);
      started_ = true;
      // If the width is less than the difference of adjacent values, a bucket holds one value.
      std::size_t inside = 0;
      for (std::size_t n = 0; n < count; ++n) {
        if (w_[positions[n]] < end_ || end_ == std::numeric_limits<T>::max())
          positions[inside++] = positions[n];
        else
          far_.push_back(positions[n]);
      }
      return inside;
    }
    return 0;
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

  // Puts the near ones of those far away into their lists; whether any is left.
  bool distribute() {
    std::erase_if(far_, [&](std::uint32_t j) { return is_done(j); });
    if (far_.empty()) return false;
    T least = w_[far_.front()];
    for (const std::uint32_t j : far_) least = std::min(least, w_[j]);
    base_ = order_.number(least);
    cursor_ = 0;
    const std::vector<std::uint32_t> from = std::move(far_);
    far_.clear();
    for (const std::uint32_t j : from) place(j, 0);
    return true;
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
};

/// `w`: the values, of the type; `width`: a value of it.
std::unique_ptr<bucket_queue> make_bucket_queue(type_code type, const void* width, const void* w);

}  // namespace tropic::detail::on_cpu
