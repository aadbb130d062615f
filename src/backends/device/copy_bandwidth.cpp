// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <chrono>

#include <tropic/error.hpp>
#include "backends/device/device_context.hpp"

namespace tropic::detail {

double device_context::copy_bandwidth() {
  std::call_once(copy_measured_, [this] {
    // Far more than any cache holds, and an eighth of what there is at the most.
    const auto* program = runtime_->program({.kernel = "copy"});
    std::size_t bytes = std::size_t{1} << (traits().processors > 32 ? 30 : 27);
    void *from = nullptr, *to = nullptr;
    while (true) {
      try {
        from = runtime_->allocate(bytes);
        to = runtime_->allocate(bytes);
        break;
      } catch (const out_of_memory&) {
        if (from) runtime_->deallocate(from, bytes);
        from = nullptr;
        if (bytes < (std::size_t{1} << 20)) return;
        bytes /= 4;
      }
    }
    runtime_->fill(from, 1, bytes);
    const std::uint64_t quads = bytes / 16;
    const void* source = from;
    const kernel_argument list[] = {quads, source, to};
    const std::size_t group = std::min<std::size_t>(256, traits().group_limit);
    double best = 0;
    for (int round = 0; round < 6; ++round) {
      runtime_->finish();
      const auto start = std::chrono::steady_clock::now();
      for (int n = 0; n < 4; ++n)
        runtime_->launch("copy", *program, "t_copy", list, (quads + group - 1) / group, group);
      runtime_->finish();
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 4;
      best = std::max(best, 2.0 * static_cast<double>(bytes) / seconds);
    }
    runtime_->deallocate(from, bytes);
    runtime_->deallocate(to, bytes);
    copy_bandwidth_ = best;
  });
  return copy_bandwidth_;
}

}  // namespace tropic::detail
