// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the vertices of a graph, or rows and columns of a matrix, are worth another order for a
// whole run: once by descending degree, then every vector stays in that order. By the cost model,
// so that what it predicts can be printed.

#include <string>

#include "plan/cost_model.hpp"

namespace tropic::detail {

struct order_advice {
  bool by_degree = false;
  std::string reason;  // one sentence
};

/// For `calls` products over all of the matrix's entries. Few of them are not worth an inspection.
/// Measures the device where that was not done yet.
order_advice advise_order(const matrix_base&, const product_traits&, index_t calls);

}  // namespace tropic::detail
