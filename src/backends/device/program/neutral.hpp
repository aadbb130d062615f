// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums that several work-items add up at once: the value that they start with if it is not known
// which of them receive a product, and the instruction that adds to one.

#include <optional>

#include <tropic/semirings/monoid.hpp>

namespace tropic::detail {

/// A value that leaves every value unchanged, bit for bit, when the monoid combines the two in
/// either order; none if no such value is known. The identity need not be one. Floating-point
/// minima ignore NaN, so the identity, infinity, would change a sum of NaN alone; the neutral value
/// is NaN. The identity of floating-point sums, 0, would change -0; the neutral value is -0.
std::optional<scalar_bytes> neutral_of(const monoid_description&);

/// What devices add to a value in memory by one instruction (T_ATOMIC_SUM of combine.h).
enum class atomic_sum { none, minimum, maximum, plus };
/// Minima, maxima and sums of integers of 4 or 8 bytes.
atomic_sum atomic_sum_of(const monoid_description&);

}  // namespace tropic::detail
