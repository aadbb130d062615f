// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of built-in semirings: names, and the types that they are built for. Instantiation,
// lookup at run time and tests of all built-ins expand this list.

#include <optional>
#include <span>
#include <string_view>

#include <tropic/semirings/semiring.hpp>

// Over every number type; over booleans too; and positional ones, which give an index.
#define TROPIC_FOR_EACH_NUMERIC_SEMIRING(m)                                             \
  m(plus_times) m(min_plus) m(max_plus) m(min_times) m(max_times) m(min_max) m(max_min) \
      m(plus_min) m(plus_pair) m(min_first) m(min_second) m(max_second) m(plus_first)   \
          m(plus_second)
#define TROPIC_FOR_EACH_BOOLEAN_SEMIRING(m) \
  m(or_and) m(and_or) m(xor_and) m(any_pair) m(any_first) m(any_second)
#define TROPIC_FOR_EACH_POSITIONAL_SEMIRING(m) \
  m(any_firstj) m(min_firstj) m(any_secondi) m(min_secondi)

#define TROPIC_FOR_EACH_NUMBER_TYPE(m)                                                            \
  m(std::int8_t) m(std::int16_t) m(std::int32_t) m(std::int64_t) m(std::uint8_t) m(std::uint16_t) \
      m(std::uint32_t) m(std::uint64_t) m(float) m(double)

namespace tropic {

/// The names of all built-in semirings.
TROPIC_API std::span<const std::string_view> builtin_semiring_names();

/// The built-in semiring `name` over `type` (for A and X; Z too, unless positional). Empty where
/// there is no such name, or it is not defined over that type.
TROPIC_API std::optional<semiring_description> builtin_semiring(std::string_view name,
                                                                type_code type);

}  // namespace tropic
