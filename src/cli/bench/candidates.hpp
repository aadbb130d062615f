// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures the candidates of a plan.

#include <vector>

#include <tropic/plan.hpp>

#include "cli/input/product_input.hpp"

namespace tropic::cli {

/// The seconds of `calls` products w = A x with a plan, until the device has finished. `matrix` is
/// that of `input`, or a copy with conversions of its own.
double seconds_of_products(const context& where, const product_input& input,
                           const detail::matrix_base& matrix, const plan& forced,
                           detail::vector_base& w, int calls);

struct measured_candidate {
  bool ran = false;
  double call = 0;        // seconds, the median
  double noise = 0;       // interquartile range over the rounds, relative to the median
  double conversion = 0;  // seconds

  double total(index_t calls) const { return conversion + static_cast<double>(calls) * call; }
};

/// Measures every candidate that is not excluded; one without a name is a product without a plan.
/// The candidates run in turns, round by round, so that a change of the machine's speed affects all
/// of them. Every candidate converts the matrix itself.
std::vector<measured_candidate> measure(const context& where, const product_input& input,
                                        const std::vector<plan_candidate>& candidates,
                                        int rounds = 7);

}  // namespace tropic::cli
