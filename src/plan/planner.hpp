// SPDX-License-Identifier: Apache-2.0
#pragma once

// A plan made by inspection and the cost model, and kept with the matrix: one for each kind of
// product, whatever the values are.

#include <vector>

#include "plan/calibration.hpp"
#include "plan/choose.hpp"

namespace tropic::detail {

/// What the products that share a plan have in common.
struct plan_key {
  product_traits traits;
  bool rows_are_output = true;
  bool is_positional = false;  // or its first product wins: columns stay as they are
  bool operator==(const plan_key&) const = default;
};
plan_key plan_key_of(const product&, const call_features&);

struct remembered_plans {
  std::vector<std::pair<plan_key, std::shared_ptr<const plan>>> all;
};

/// An inspection costs up to three calls: beside fewer than these it would show.
inline constexpr index_t calls_worth_inspection = 50;

/// By inspection, where u is full, the rows of the output are at hand, and the calls are worth it
/// or `look` asks for it; else by the rule of choose.hpp. Measures the device where that was not
/// done yet.
plan make_plan(cost_source&, const product&, index_t expected_calls, bool look = false);

/// What make_plan found for such products of this matrix last, if it was asked.
std::shared_ptr<const plan> remembered_plan(const product&, const call_features&);

}  // namespace tropic::detail
