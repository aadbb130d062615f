// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan based on an inspection and the cost model. It is kept with the matrix: one for each kind
// of product, independent of the values.

#include <vector>

#include "plan/calibration.hpp"
#include "plan/choose.hpp"

namespace tropic::detail {

/// The products that share one plan: equal widths of values, equal early exit.
struct product_kind {
  product_shape shape;
  bool rows_are_output = true;
  bool is_positional =
      false;  // or its first product determines the result: columns keep their order
  bool operator==(const product_kind&) const = default;
};
product_kind kind_of(const product&, const product_features&);

struct remembered_plans {
  std::vector<std::pair<product_kind, std::shared_ptr<const plan>>> all;
};

/// An inspection costs up to three calls: for fewer calls than this it does not pay off.
inline constexpr index_t calls_worth_inspection = 50;

/// By inspection, if u is full, the rows of the output are available, and the calls justify it or
/// `look` requires it; otherwise by the rule of choose.hpp. Measures the device if that has not
/// been done.
plan make_plan(backend& executor, const product&, index_t expected_calls, bool look = false);

/// The latest result of make_plan for such products of this matrix, if there is one.
std::shared_ptr<const plan> remembered_plan(const product&, const product_features&);

}  // namespace tropic::detail
