// SPDX-License-Identifier: Apache-2.0
#pragma once

// Quick runs: without TROPIC_EVERY, what compiles slowly (PoCL, NVRTC) is sampled. What a sample
// leaves out is selected by the seed, so that every commit runs another part.

#include <memory>

#include "support/cases.hpp"
#include "support/contexts.hpp"
#include "support/surroundings.hpp"

namespace tropic::testing {

/// Whether TROPIC_EVERY is unset.
bool is_quick_run();

/// In a quick run on PoCL: as long as this lives, programs are compiled without optimisation, in
/// half the time or less. For suites of many programs; others check what the optimiser makes of
/// them.
std::unique_ptr<environment_variable> compiled_quickly(const context&);

/// Of `cases`, which contain every pair of levels, one for each level of `factor`: the levels of
/// `other` take turns, in an order that the seed selects.
std::vector<levels> one_of_each(const std::vector<levels>& cases, std::size_t factor,
                                std::size_t other);

}  // namespace tropic::testing
