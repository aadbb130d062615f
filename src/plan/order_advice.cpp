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
  // The best kernel as columns are, and the best one with those of many entries together.
  double plain = std::numeric_limits<double>::infinity(), ordered = plain;
  for (const kernel_info* kernel : source.kernels()) {
    const kernel_costs* costs = constants->find(kernel->name, traits.z_bytes);
    if (costs == nullptr || kernel->unit == work_unit::frontier) continue;
    const work_mapping mapping = source.mapping_of(a, *kernel, traits.z_bytes, traits.stops_early);
    const auto seconds = [&](bool hot) {
      return costs->seconds_of_call(terms_of(*kernel, mapping, *inspection, traits, hot));
    };
    plain = std::min(plain, seconds(false));
    ordered = std::min(ordered, seconds(true));
  }
  // Ordering rows too takes about as long as columns. It is made on the host and goes to the
  // device, whose own constants are of columns that it orders itself.
  const kernel_costs* conversion = a.context->device_memory == nullptr
                                       ? constants->find("hot_columns", traits.z_bytes)
                                       : nullptr;
  double once =
      2 * (conversion != nullptr ? seconds_of(conversion->conversion, conversion_terms(*inspection))
                                 : static_cast<double>(a.nnz) * 5e-8);
  once += constants->transfer_byte * static_cast<double>(a.bytes());
  const double gain = static_cast<double>(calls) * (plain - ordered);
  order_advice made{gain > once, {}};
  if (ordered >= plain)
    made.reason = fmt::format("by degree a product would take {} for {}: what lies near stays near",
                              duration(ordered), duration(plain));
  else
    made.reason = fmt::format("by degree a product takes {} for {}, ordering {}: {} products {}",
                              duration(ordered), duration(plain), duration(once), grouped(calls),
                              made.by_degree ? "win more than that" : "do not win that back");
  return made;
}

}  // namespace tropic::detail
