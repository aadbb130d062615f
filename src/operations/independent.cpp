// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/independent.hpp>

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "containers/context_state.hpp"

namespace tropic::detail {

index_t independent_runs(const context& where, std::size_t bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  const context_state& state = *where.state();
  if (state.device_memory != nullptr || state.options.progress || state.options.log ||
      state.options.profile)
    return 1;
  const std::size_t room = std::min(
      most_bytes, state.account.limit() - std::min(state.account.limit(), state.account.used()));
  const std::size_t fit = room / std::max<std::size_t>(bytes, 1);
  return std::clamp<index_t>(static_cast<index_t>(fit), 1, state.threads());
}

void run_independently(index_t count, const std::function<void(index_t)>& body) {
  if (count == 1) return body(0);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  // Operations have no threads of their own here, also where nested parallelism is on.
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(omp_get_active_level() + 1);
#pragma omp parallel for num_threads(static_cast<int>(count)) schedule(static, 1)
  for (index_t k = 0; k < count; ++k) {
    try {
      body(k);
    } catch (...) {
      failures[static_cast<std::size_t>(k)] = std::current_exception();
    }
  }
  omp_set_max_active_levels(levels);
  for (const std::exception_ptr& failure : failures)
    if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace tropic::detail
