// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pushes of rounds whose sums are taken in ascending order of the frontier, which is sorted: those
// of floating values, whose rounding depends on the order. A thread takes the whole frontier, and
// shares the columns with others.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tropic/detail/cpu/kernel_arguments.hpp>
#include <tropic/detail/cpu/round_arguments.hpp>

namespace tropic::detail::cpu {

// x where `first`, else y, by their bits: compilers turn a choice between floating values into a
// branch.
template <class T>
inline T chosen(bool first, const T& x, const T& y) {
  if constexpr (std::is_floating_point_v<T> && sizeof(T) <= sizeof(std::uint64_t)) {
    using word =
        std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
    const word mask = word{0} - word{first}, y_bits = std::bit_cast<word>(y);
    return std::bit_cast<T>(y_bits ^ ((std::bit_cast<word>(x) ^ y_bits) & mask));
  } else {
    return first ? x : y;
  }
}

// The edges of a few rows that lead to open positions, listed without branches by the lengths of
// rows or by what an edge finds. Rows of roads have one to four entries, in no order.
template <class S, bool First>
class open_edges {
 public:
  using Z = typename S::z_type;
  explicit open_edges(const round_arguments& arguments)
      : side_(arguments), columns_(arguments.columns), settled_(arguments.settled) {}

  /// Edges [e, stop) of a row; add(position, product) takes those that wait if there is no room.
  template <class Add>
  void list(std::size_t e, std::size_t stop, std::size_t element, std::uint32_t row, Add&& add) {
    for (; e < stop; e += group) {
      if (count_ > room) take(add);
      for (std::size_t k = 0; k < group; ++k) {
        const std::size_t entry = std::min(e + k, stop - 1);
        const std::uint32_t j = columns_[entry];
        position_[count_] = j;
        product_[count_] = side_.product(entry, element, j, row);
        const std::uint64_t is_open = ~settled_[j / 64] >> (j % 64) & 1;
        count_ += static_cast<std::size_t>(is_open & std::uint64_t{e + k < stop});
      }
    }
  }
  template <class Add>
  void take(Add&& add) {
    for (std::size_t n = 0; n < count_; ++n) add(position_[n], product_[n]);
    count_ = 0;
  }

 private:
  static constexpr std::size_t group = 4, room = 256;

  const side<S, First> side_;
  const std::uint32_t* const columns_;
  const std::uint64_t* const settled_;
  std::size_t count_ = 0;
  std::uint32_t position_[room + group + 1];
  Z product_[room + group + 1];
};

// push_in_order for few edges.
template <class S, bool First>
std::size_t push_few_in_order(const round_arguments& arguments, std::size_t begin, std::size_t end,
                              std::uint32_t* list) {
  using Z = typename S::z_type;
  Z* const w = static_cast<Z*>(arguments.w);
  std::uint64_t* const listed = arguments.listed;
  const row_offsets offset(arguments);
  std::size_t count = 0;
  const auto add = [&](std::uint32_t j, const Z& product) {
    const std::uint64_t word = listed[j / 64], again = word >> (j % 64) & 1;
    w[j] = chosen(again != 0, side<S, First>::add(w[j], product), product);
    list[count] = j;
    count += static_cast<std::size_t>(again ^ 1);
    listed[j / 64] = word | std::uint64_t{1} << (j % 64);
  };
  open_edges<S, First> open(arguments);
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    open.list(offset(row), offset(row + std::size_t{1}), arguments.by_position ? row : n, row, add);
  }
  open.take(add);
  return count;
}

// The products of entries [begin, end), added in their order: the first one of a position is
// written, whatever was there.
template <class S, bool First>
std::size_t push_in_order(const round_arguments& arguments, std::size_t begin, std::size_t end,
                          std::size_t /*first*/, std::size_t /*last*/, std::uint32_t* list) {
  using Z = typename S::z_type;
  // Sums that are not used cost little.
  if constexpr (std::is_same_v<typename S::monoid::operation, plus>)
    if (arguments.few) return push_few_in_order<S, First>(arguments, begin, end, list);
  const side<S, First> s(arguments);
  Z* const w = static_cast<Z*>(arguments.w);
  const std::uint32_t* const columns = arguments.columns;
  std::uint64_t* const listed = arguments.listed;
  const std::uint64_t* const settled = arguments.settled;
  const row_offsets offset(arguments);
  const bool whole = arguments.first_column == 0 && arguments.last_column > 0xffffffffu;
  std::size_t count = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t row = arguments.u_indices[n];
    std::size_t e = offset(row), stop = offset(row + std::size_t{1});
    if (!whole) {
      const auto column = [&](std::uint64_t j) {
        return static_cast<std::size_t>(std::lower_bound(columns + e, columns + stop, j) - columns);
      };
      e = column(arguments.first_column);
      stop = column(arguments.last_column);
    }
    const std::size_t element = arguments.by_position ? row : n;
    for (; e < stop; ++e) {
      const std::uint32_t j = columns[e];
      if (has_bit(settled, j)) continue;
      const Z product = s.product(e, element, j, row);
      if (has_bit(listed, j)) {
        w[j] = s.add(w[j], product);
      } else {
        w[j] = product;
        listed[j / 64] |= std::uint64_t{1} << (j % 64);
        list[count++] = j;
      }
    }
  }
  return count;
}

}  // namespace tropic::detail::cpu
