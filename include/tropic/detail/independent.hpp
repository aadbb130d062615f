// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computations of an algorithm that do not depend on each other, such as those from several
// sources: threads of a CPU take one each, which pays where the operations of one are too small to
// be shared by threads.

#include <cstddef>
#include <functional>

#include <tropic/context.hpp>
#include <tropic/semirings/types.hpp>

namespace tropic::detail {

/// How many computations that need `bytes` each may run at the same time: as many as the context
/// has threads, and fewer if they would together need more than 1 GB or than the memory limit
/// leaves. 1 on a device, and where a profile is asked for, whose times would overlap.
TROPIC_API index_t independent_runs(const context& where, std::size_t bytes);

/// body(k) for k = 0 to count - 1, at the same time. The operations in each run on one thread.
/// Checkpoints of body(0), which the calling thread executes, report progress, those of the others
/// do not; notices are logged after the last body, in the order of k. If body(0) throws, the others
/// end at their next checkpoint. Rethrows the exception of the smallest k.
TROPIC_API void run_independently(const context& where, index_t count,
                                  const std::function<void(index_t)>& body);

}  // namespace tropic::detail
