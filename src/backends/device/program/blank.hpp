// SPDX-License-Identifier: Apache-2.0
#pragma once

// The value that a slot of a sum begins with, where several are summed before it is known which of
// them hold something.

#include <optional>

#include <tropic/semirings/monoid.hpp>

namespace tropic::detail {

/// A value that changes no other under the monoid, to the bit, whichever side it stands on; nothing
/// where none is known. An identity need not be one: floating minima ignore a NaN, so that of
/// infinity and NaN is infinity, but a sum of NaN alone is NaN; there NaN is the value. For
/// floating sums it is -0, as 0 makes 0 of -0.
std::optional<scalar_bytes> blank_of(const monoid_description&);

}  // namespace tropic::detail
