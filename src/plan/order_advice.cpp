// SPDX-License-Identifier: Apache-2.0
#include "plan/order_advice.hpp"

#include <fmt/format.h>

#include "backends/backend.hpp"
#include "plan/calibration.hpp"
#include "plan/planner.hpp"
#include "text/numbers.hpp"

namespace tropic::detail {

order_advice advise_order(const matrix_base& a, const product_traits& traits, index_t calls) {
  cost_source& source = *a.context->executor;
  if (source.kernels().size() == 1) return {false, "this backend has one kernel, of any order"};
  if (a.nnz == 0) return {false, "there is nothing to read"};
  if (calls < calls_worth_inspection)
    return {false, fmt::format("about {} products are too few to pay for ordering", calls)};
  const auto constants = constants_of(*a.context);
  const auto inspection = inspect_matrix(a);
  const double plain = best_pull(source, a, *inspection, *constants, traits, false),
               ordered = best_pull(source, a, *inspection, *constants, traits, true);
  // Ordering rows as well takes about as long again as ordering columns.
  const kernel_costs* conversion = constants->find("hot_columns", traits.z_bytes);
  const double once =
      2 * (conversion != nullptr ? seconds_of(conversion->conversion, conversion_terms(*inspection))
                                 : static_cast<double>(a.nnz) * 5e-8);
  const double gain = static_cast<double>(calls) * (plain - ordered);
  order_advice result{gain > once, {}};
  if (ordered >= plain)
    result.reason = fmt::format(
        "in degree order a product would take {} instead of {}: the given order is better",
        duration(ordered), duration(plain));
  else
    result.reason = fmt::format(
        "in degree order a product takes {} instead of {}, ordering takes {}: {} {} {}",
        duration(ordered), duration(plain), duration(once), grouped(calls),
        calls == 1 ? "product" : "products", result.by_degree ? "save more" : "save less");
  return result;
}

}  // namespace tropic::detail
