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

/// The environment variable, and its value, by which PoCL compiles programs without optimisation,
/// in half the time or less.
inline constexpr const char *pocl_flags = "POCL_EXTRA_BUILD_FLAGS",
                            *no_optimisation = "-cl-opt-disable";
/// Sets it as long as the result lives, in a quick run on PoCL; else null. For suites of many
/// programs; of the other tests, compilation.cpp sets it for three quarters.
std::unique_ptr<environment_variable> compiled_quickly(const context&);

/// Of `cases`, which contain every pair of levels, one for each level of `factor`: the levels of
/// `other` take turns, in an order that the seed selects.
std::vector<levels> one_of_each(const std::vector<levels>& cases, std::size_t factor,
                                std::size_t other);

}  // namespace tropic::testing
