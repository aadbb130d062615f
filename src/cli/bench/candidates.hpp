// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measuring what a plan weighed.

#include <vector>

#include <tropic/plan.hpp>

#include "cli/input/product_input.hpp"

namespace tropic::cli {

/// Seconds until the device has made that many products w = A x by a plan. `matrix`: input's, or a
/// copy of it that keeps its own conversions.
double seconds_of_products(const context& where, const product_input& input,
                           const detail::matrix_base& matrix, const plan& forced,
                           detail::vector_base& w, int calls);

struct measured_candidate {
  bool ran = false;
  double each = 0;        // seconds a call, the median
  double noise = 0;       // how far the middle half of the rounds lies apart, relative
  double conversion = 0;  // seconds, once

  double total(index_t calls) const { return conversion + static_cast<double>(calls) * each; }
};

/// Each candidate that is not ruled out (one without a name: what a product without a plan runs),
/// one after the other, round after round, so that a machine whose speed drifts drifts for all;
/// conversions are made anew for each.
std::vector<measured_candidate> measure(const context& where, const product_input& input,
                                        const std::vector<plan_candidate>& candidates,
                                        int rounds = 7);

}  // namespace tropic::cli
