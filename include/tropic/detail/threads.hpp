// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

/// The maximum number of threads: four times the number of hardware threads, at least 256.
TROPIC_API int thread_limit();

/// The number of threads for parallel work; `requested` 0: OpenMP's default (OMP_NUM_THREADS), or
/// what the process can start, if that is less. Throws usage_error, with the number found and the
/// range expected, for a number below 0, above thread_limit(), or above what the process can start
/// (by its limits of threads and memory). All code that passes a number of threads to OpenMP calls
/// this, since OpenMP ends the process if it cannot start a thread. 1 in a forked process: OpenMP's
/// threads remain with the parent, and its library would wait for them forever.
TROPIC_API int checked_threads(int requested);

/// The number of forks between the process that called this first and this one.
TROPIC_API int process_generation();

}  // namespace tropic::detail
