// SPDX-License-Identifier: Apache-2.0
#pragma once

// Quick runs: without TROPIC_EVERY, what compiles slowly (PoCL, NVRTC) is sampled. What a sample
// leaves out is selected by the seed, so that every commit runs another part.

#include "support/cases.hpp"

namespace tropic::testing {

/// Whether TROPIC_EVERY is unset.
bool is_quick_run();

/// Of `cases`, which contain every pair of levels, one for each level of `factor`: the levels of
/// `other` take turns, in an order that the seed selects.
std::vector<levels> one_of_each(const std::vector<levels>& cases, std::size_t factor,
                                std::size_t other);

}  // namespace tropic::testing
