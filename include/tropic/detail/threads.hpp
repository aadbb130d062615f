// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tropic/semirings/export.hpp>

namespace tropic::detail {

/// The most threads that may be asked for: four times those of the machine, and 256 on a small one.
TROPIC_API int thread_limit();

/// How many threads parallel work shall have where `asked` were asked for; 0: as many as OpenMP
/// gives, which OMP_NUM_THREADS may say, or as the process can start, if those are fewer. Throws
/// usage_error, with what was found and what is expected, for a number below 0, past
/// thread_limit(), or past what the process can start (its limits of threads and of memory).
/// Whatever hands a number of threads to OpenMP asks here: OpenMP's library ends the process where
/// it cannot start one. 1 in a process that was forked: OpenMP's threads stay with the parent, and
/// its library would wait for them without end.
TROPIC_API int checked_threads(int asked);

/// How many forks of the process that first asked lead to this one.
TROPIC_API int process_generation();

}  // namespace tropic::detail
