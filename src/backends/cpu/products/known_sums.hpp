// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled sums for semirings given as text: the add is recognised by its syntax tree.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <tropic/semirings/semiring.hpp>

namespace tropic::detail::on_cpu {

/// Sums of products, in the order in which they are listed; values of the type of the add. A
/// position whose present[] is 0 takes its first product as it is.
struct sum_functions {
  /// Segment n holds products [stop[n - 1], stop[n]) (the first one from 0) of output `row[n]`.
  /// None is empty. Returns how many positions were first written.
  std::size_t (*segments)(void* w, std::uint8_t* present, const std::uint32_t* row,
                          const std::uint32_t* stop, std::size_t count, const void* products);
  /// Product n is of output target[n]. Appends positions that were first written to `touched`;
  /// returns how many.
  std::size_t (*scatter)(void* w, std::uint8_t* present, const std::uint32_t* target,
                         std::size_t count, const void* products, std::uint32_t* touched);
};

/// The functions for an add of one built-in type: sums, products, minima, maxima, and, or, xor, the
/// bit operators, either operand, and a choice of an operand by one comparison. Null otherwise.
const sum_functions* known_sum(const operator_description& add);

/// One of these functions of both operands, in either order.
enum class known_function : std::uint8_t {
  none,
  minimum,
  maximum,
  tropical_plus,
  tropical_plus_max
};
known_function function_of(const operator_description& op);

enum class extremum : std::uint8_t { none, minimum, maximum };
/// Whether an add of one type of numbers is their minimum or maximum: t_min and t_max, and for
/// integers also a choice of an operand by one comparison.
extremum extremum_of(const operator_description& add);

/// Whether the multiply is `pair` and the add `plus` of one type of numbers, in either order.
bool adds_ones(const semiring_description& given);

/// Whether it is `plus` of one type of integers.
bool adds_integers(const monoid_description& given);

/// What tril and triu of <tropic/position_operators.hpp> keep: entries (i, j) with j - i up to
/// `shift`, or from `shift` on.
struct diagonal_side {
  bool up_to;
  std::int64_t shift;
};
std::optional<diagonal_side> side_of_diagonal(const operator_description& predicate);

/// The built-in semiring of which `given` has the operators, types and identity. Null if there is
/// none, or if the order of its sums could show in a result (floating sums and products).
const semiring_description* same_builtin(const semiring_description& given);

}  // namespace tropic::detail::on_cpu
