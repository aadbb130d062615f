// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists of rows, columns or positions, as assign and extract take them.

#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <tropic/error.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic {

/// All rows, columns or positions, in order.
struct all_positions {};
inline constexpr all_positions all{};

/// The numbers first, first + step, ... up to but excluding `end`; with a negative step, they
/// descend to the last one above `end`. Examples: range(0, 10, 2), range(9, -1, -1). Throws
/// usage_error for step 0.
class range {
 public:
  range(index_t first, index_t end, index_t step = 1) : first_(first), step_(step) {
    if (step == 0) throw usage_error("range: step 0");
    const bool up = step > 0;
    if (up ? first >= end : first <= end) return;
    const auto distance = up ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(first)
                             : static_cast<std::uint64_t>(first) - static_cast<std::uint64_t>(end);
    const auto stride =
        up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    size_ = (distance - 1) / stride + 1;
  }

  class iterator {
   public:
    using value_type = index_t;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::forward_iterator_tag;
    using pointer = const index_t*;
    using reference = index_t;

    iterator() = default;
    iterator(index_t first, index_t step, std::uint64_t n) : first_(first), step_(step), n_(n) {}
    index_t operator*() const { return first_ + static_cast<index_t>(n_) * step_; }
    iterator& operator++() {
      ++n_;
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++n_;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.n_ == b.n_; }

   private:
    index_t first_ = 0, step_ = 1;
    std::uint64_t n_ = 0;
  };
  iterator begin() const { return {first_, step_, 0}; }
  iterator end() const { return {first_, step_, size_}; }
  std::size_t size() const { return static_cast<std::size_t>(size_); }

 private:
  index_t first_, step_;
  std::uint64_t size_ = 0;
};

namespace detail {
template <class List>
concept list_of_positions = requires(const List& list) {
  std::begin(list);
  std::end(list);
};
/// A list of any integer type, a range, or `all`.
template <class List>
concept listed_positions = list_of_positions<List> || std::is_same_v<List, all_positions>;

/// Positions of any integer type: unchanged, or converted for the duration of a call.
class position_argument {
 public:
  template <listed_positions List>
  position_argument([[maybe_unused]] const char* name, [[maybe_unused]] const List& list) {
    if constexpr (std::is_same_v<List, all_positions>) {
      all_ = true;
    } else {
      using position = std::remove_cvref_t<decltype(*std::begin(list))>;
      if constexpr (std::is_convertible_v<const List&, std::span<const index_t>>) {
        list_ = list;
      } else if constexpr (std::is_integral_v<position> && !std::is_same_v<position, bool>) {
        if constexpr (std::is_unsigned_v<position> && sizeof(position) == sizeof(index_t))
          for (const position p : list)
            if (p > static_cast<position>(std::numeric_limits<index_t>::max()))
              throw usage_error(std::string(name) + ": position " + std::to_string(p) +
                                " is past all positions");
        converted_.assign(std::begin(list), std::end(list));
        list_ = converted_;
      } else {
        static_assert(!list_of_positions<List>,
                      "tropic: a list of positions holds integers; a bool for each "
                      "position is a mask, which is a vector in the options");
      }
    }
  }
  position_argument(const position_argument&) = delete;
  position_argument& operator=(const position_argument&) = delete;

  /// Null for `all`, as the type-erased operations take it.
  const std::span<const index_t>* get() const { return all_ ? nullptr : &list_; }

 private:
  bool all_ = false;
  std::vector<index_t> converted_;
  std::span<const index_t> list_;
};
}  // namespace detail

}  // namespace tropic
