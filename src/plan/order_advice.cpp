// SPDX-License-Identifier: Apache-2.0
#include "plan/order_advice.hpp"

#include <algorithm>
#include <limits>

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
    return {false, fmt::format("some {} products over all entries are too few", calls)};
  const auto constants = constants_of(*a.context);
  const auto inspection = inspect_matrix(a);
  // The best kernel with the columns as they are, and the best one with hot columns.
  double plain = std::numeric_limits<double>::infinity(), ordered = plain;
  for (const kernel_info* kernel : source.kernels()) {
    const kernel_costs* costs = constants->find(kernel->name, traits.z_bytes);
    if (costs == nullptr || kernel->unit == work_unit::frontier) continue;
    const work_mapping mapping = source.mapping_of(a, *kernel, traits.z_bytes, traits.exits_early);
    const auto seconds = [&](bool hot) {
      return costs->seconds_of_call(terms_of(*kernel, mapping, *inspection, traits, hot));
    };
    plain = std::min(plain, seconds(false));
    ordered = std::min(ordered, seconds(true));
  }
  // Ordering rows as well takes about as long again as ordering columns. The host orders, and
  // copies the matrix to the device; the constants of a device are for columns that it orders
  // itself.
  const kernel_costs* conversion = a.context->device_memory == nullptr
                                       ? constants->find("hot_columns", traits.z_bytes)
                                       : nullptr;
  double once =
      2 * (conversion != nullptr ? seconds_of(conversion->conversion, conversion_terms(*inspection))
                                 : static_cast<double>(a.nnz) * 5e-8);
  once += constants->transfer_byte * static_cast<double>(a.bytes());
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
