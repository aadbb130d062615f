// SPDX-License-Identifier: Apache-2.0
#pragma once

// A permutation of positions, stored in both directions: the new position of each old one, and the
// old position of each new one. Two arrays of 32-bit numbers, shared by copies and inverses, never
// written: several threads may use them at the same time. Moving a permutation copies it.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tropic/semirings/types.hpp>

namespace tropic {

class TROPIC_API permutation {
 public:
  /// Of no positions.
  permutation() : permutation(identity(0)) {}
  permutation(const permutation&) = default;
  permutation& operator=(const permutation&) = default;

  /// Maps each position to itself. Throws usage_error for a size that is negative or greater than
  /// 2^32.
  static permutation identity(index_t size);
  /// `old_positions[n]` is the old position of the element at new position n. Throws usage_error
  /// naming the place in the list where a number is out of range or repeated.
  static permutation from_old_positions(std::vector<std::uint32_t> old_positions);
  /// `new_positions[n]` is the new position of the element at position n. Throws like
  /// from_old_positions.
  static permutation from_new_positions(std::vector<std::uint32_t> new_positions);

  index_t size() const { return static_cast<index_t>(to_->size()); }
  /// The new position of the element at position `old`. Throws usage_error past the end.
  index_t new_position(index_t old) const { return at(*to_, old); }
  /// The old position of the element at position `now`. Throws usage_error past the end.
  index_t old_position(index_t now) const { return at(*from_, now); }
  /// The same for all positions, in order.
  std::span<const std::uint32_t> new_positions() const { return *to_; }
  std::span<const std::uint32_t> old_positions() const { return *from_; }

  /// The inverse permutation. O(1).
  permutation inverse() const { return permutation(from_, to_, identity_); }
  /// This permutation followed by `next`. Throws usage_error if the sizes differ. O(size).
  permutation then(const permutation& next) const;
  bool is_identity() const { return identity_; }

  friend bool operator==(const permutation& a, const permutation& b) { return *a.to_ == *b.to_; }

  /// Like from_old_positions, without checks: the caller guarantees that `old_positions` contains
  /// every number below its size once.
  static permutation trusted(std::vector<std::uint32_t> old_positions, int threads = 1);

 private:
  using list = std::shared_ptr<const std::vector<std::uint32_t>>;
  permutation(list to, list from, bool is_identity)
      : to_(std::move(to)), from_(std::move(from)), identity_(is_identity) {}
  static index_t at(const std::vector<std::uint32_t>& positions, index_t n);

  list to_, from_;
  bool identity_ = false;
};

}  // namespace tropic
