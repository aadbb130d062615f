// SPDX-License-Identifier: Apache-2.0
#include <tropic/detail/independent.hpp>

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <string>
#include <vector>

#include "containers/context_state.hpp"

namespace tropic::detail {

index_t independent_runs(const context& where, std::size_t bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 30;
  const context_state& state = *where.state();
  if (state.device_memory != nullptr || state.options.profile) return 1;
  const std::size_t limit = state.account.limit();  // 0: none
  const std::size_t room =
      limit == 0 ? most_bytes : std::min(most_bytes, limit - std::min(limit, state.account.used()));
  const std::size_t fit = room / std::max<std::size_t>(bytes, 1);
  return std::clamp<index_t>(static_cast<index_t>(fit), 1, state.threads());
}

namespace {
struct entered {
  explicit entered(independent_run& run) : outer(this_independent_run()) {
    this_independent_run() = &run;
  }
  ~entered() { this_independent_run() = outer; }
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;
  independent_run* outer;
};
}  // namespace

void run_independently(const context& where, index_t count,
                       const std::function<void(index_t)>& body) {
  if (count == 1) return body(0);
  const auto size = static_cast<std::size_t>(count);
  std::atomic<bool> is_over = false;
  std::vector<independent_run> runs(size);
  std::vector<std::exception_ptr> failures(size);
  const auto run = [&](std::size_t k) {
    runs[k].is_of_caller = k == 0;
    runs[k].is_over = &is_over;
    const entered as_current(runs[k]);
    try {
      if (k == 0 || !is_over.load(std::memory_order_relaxed)) body(static_cast<index_t>(k));
    } catch (...) {
      failures[k] = std::current_exception();
      if (k == 0) is_over.store(true, std::memory_order_relaxed);
    }
  };
  // Operations have no threads of their own here, also where nested parallelism is on.
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(omp_get_active_level() + 1);
  // The thread that encounters the region is the team's first and gets k = 0.
#pragma omp parallel for num_threads(static_cast<int>(count)) schedule(static, 1)
  for (std::size_t k = 0; k < size; ++k) run(k);
  omp_set_max_active_levels(levels);
  for (const independent_run& one : runs)
    for (const std::string& notice : one.notices) where.state()->log(notice);
  for (const std::exception_ptr& failure : failures)
    if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace tropic::detail
