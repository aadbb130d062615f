// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan based on an inspection and the cost model. It is kept with the matrix: one for each kind
// of product, independent of the values.

#include <vector>

#include "plan/calibration.hpp"
#include "plan/quick_choice.hpp"

namespace tropic::detail {

/// The products that share one plan: equal widths of values, equal early exit.
struct plan_key {
  product_traits traits;
  bool rows_are_output = true;
  bool is_positional =
      false;  // or its first product determines the result: columns keep their order
  bool operator==(const plan_key&) const = default;
};
plan_key plan_key_of(const product&, const call_features&);

struct remembered_plans {
  std::vector<std::pair<plan_key, std::shared_ptr<const plan>>> all;
};

/// An inspection costs up to three calls: for fewer calls than this it does not pay off.
inline constexpr index_t calls_worth_inspection = 50;

/// Plans by inspection if u is full, no transpose is missing, and the expected calls justify it or
/// `always` is set; otherwise by the rule of quick_choice.hpp. Calibrates the device if that was
/// not done yet.
plan make_plan(cost_source&, const product&, index_t expected_calls, bool always = false);

/// The predicted seconds of a pull of all entries over a full u by the best kernel for it, the rows
/// of the output at hand; infinite if none was measured. `is_ordered`: if the columns were sorted
/// by descending number of entries.
double best_pull(cost_source&, const matrix_base&, const inspected_pattern&, const cost_constants&,
                 const product_traits&, bool is_ordered);

/// The latest result of make_plan for such products of this matrix, if there is one.
std::shared_ptr<const plan> remembered_plan(const product&, const call_features&);

}  // namespace tropic::detail
