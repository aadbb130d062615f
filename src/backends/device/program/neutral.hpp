// SPDX-License-Identifier: Apache-2.0
#pragma once

// The value that accumulators start with if they are added up before it is known which of them have
// received a product.

#include <optional>

#include <tropic/semirings/monoid.hpp>

namespace tropic::detail {

/// A value that leaves every value unchanged, bit for bit, when the monoid combines the two in
/// either order; none if no such value is known. The identity need not be one. Floating-point
/// minima ignore NaN, so the identity, infinity, would change a sum of NaN alone; the neutral value
/// is NaN. The identity of floating-point sums, 0, would change -0; the neutral value is -0.
std::optional<scalar_bytes> neutral_of(const monoid_description&);

}  // namespace tropic::detail
