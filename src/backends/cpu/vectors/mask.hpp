// SPDX-License-Identifier: Apache-2.0
#pragma once

// The positions that a mask allows. A sparse mask stays a list and is merged with other lists; a
// dense one is looked up by position, its values are not copied.

#include "backends/cpu/memory_side.hpp"
#include "backends/product.hpp"

namespace tropic::detail::on_cpu {

/// Whether stored values of a type count as true: any relevant bit is set. Records are always true.
class truth {
 public:
  explicit truth(const type_description& type);
  bool operator()(const std::byte* value) const {
    switch (bytes_) {
      case 1: return load<std::uint8_t>(value) != 0;
      case 2: return load<std::uint16_t>(value) != 0;
      case 4: return (load<std::uint32_t>(value) & significant_) != 0;
      case 8: return (load<std::uint64_t>(value) & significant_) != 0;
      default: return true;
    }
  }

 private:
  template <class T>
  static T load(const std::byte* from) {
    T bits;
    std::memcpy(&bits, from, sizeof(T));
    return bits;
  }

  std::size_t bytes_;
  std::uint64_t significant_;
};

class position_set {
 public:
  /// The positions of a vector's entries (structural), or of its true entries.
  position_set(const memory_side& here, const vector_base& mask, bool structural,
               bool complemented);
  position_set(const memory_side& here, const vector_rule& rule)
      : position_set(here, *rule.mask, rule.structural, rule.complemented) {}

  /// The complement of the set.
  position_set complement() const {
    position_set result = *this;
    result.complemented_ = !complemented_;
    return result;
  }

  /// Whether list() is the whole set.
  bool is_list() const { return is_sparse_ && !complemented_; }
  const std::uint32_t* list() const { return list_; }
  std::size_t list_size() const { return list_size_; }
  const buffer_pointer& list_buffer() const { return list_buffer_; }

  /// flags[n] = whether positions[n] is in the set; positions ascending.
  void look_up(const std::uint32_t* positions, std::size_t count, std::uint8_t* flags) const;
  /// flags[n] = whether begin + n is in the set.
  void look_up(std::size_t begin, std::size_t count, std::uint8_t* flags) const;

 private:
  bool holds(std::size_t i) const {
    return (present_ == nullptr || present_[i]) &&
           (values_ == nullptr || is_true_(values_ + i * bytes_));
  }

  bool is_sparse_, complemented_;
  truth is_true_;
  std::size_t bytes_;
  const std::uint32_t* list_ = nullptr;
  std::size_t list_size_ = 0;
  buffer_pointer list_buffer_;
  const std::uint8_t* present_ = nullptr;
  const std::byte* values_ = nullptr;  // null where structural
};

/// The entries of v at the positions of `set`. Shares v's arrays where it can.
vector_base filter(const memory_side& here, const vector_base& v, const position_set& set);

/// The first n >= from with list[n] >= wanted, found by doubling steps.
inline std::size_t advance(const std::uint32_t* list, std::size_t size, std::size_t from,
                           std::uint32_t wanted) {
  if (from >= size || list[from] >= wanted) return from;
  std::size_t below = from, step = 1;
  while (below + step < size && list[below + step] < wanted) {
    below += step;
    step *= 2;
  }
  std::size_t above = below + step < size ? below + step : size;  // list[above] >= wanted
  while (above - below > 1) {
    const std::size_t middle = below + (above - below) / 2;
    if (list[middle] < wanted)
      below = middle;
    else
      above = middle;
  }
  return above;
}

}  // namespace tropic::detail::on_cpu
