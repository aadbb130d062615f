// SPDX-License-Identifier: Apache-2.0
#pragma once

// What inspect.kernel and those that launch it agree on.

#include <span>

#include "backends/device/program/program.hpp"
#include "backends/pattern_counts.hpp"

namespace tropic::detail {

/// inspect.kernel for groups of that many work-items: a power of two, from 16 on.
program_request inspect_request(std::size_t group);

/// Words that its launches count in, 0 before.
inline constexpr std::size_t inspected_words = 3 * size_histogram::bins + 64 + 7 + 4 + 5;
/// Adds the counts in those words to the counts that follow from the shape of the matrix.
void read_inspected(pattern_counts&, std::span<const std::uint32_t, inspected_words> found);

}  // namespace tropic::detail
