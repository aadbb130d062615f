// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether reordering the vertices of a graph, or the rows and columns of a matrix, pays off for a
// whole run: once, by descending degree; all vectors then use that order. Decided by the cost
// model, so that the prediction can be printed.

#include <string>

#include "plan/cost_model.hpp"

namespace tropic::detail {

struct order_advice {
  bool by_degree = false;
  std::string reason;  // one sentence
};

/// For `calls` products over all entries of the matrix. A few calls are not worth an inspection.
/// Measures the device if that has not been done.
order_advice advise_order(const matrix_base&, const product_shape&, index_t calls);

}  // namespace tropic::detail
