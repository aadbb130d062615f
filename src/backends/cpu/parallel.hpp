// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops over chunks of fixed size. Chunks do not depend on the number of threads, and small loops
// stay on the calling thread. Bodies must not throw.

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "backends/cpu/thread_ranges.hpp"

namespace tropic::detail::on_cpu {

inline constexpr std::size_t chunk_size = 16384;
inline std::size_t chunks_of(std::size_t count) {
  return (count + chunk_size - 1) / chunk_size;
}

/// body(begin, end) for each chunk of [0, count); returns the sum of what the bodies return.
template <class F>
std::size_t sum_over_chunks(int threads, std::size_t count, F&& body) {
  const std::size_t chunks = chunks_of(count);
  std::size_t sum = 0;
  if (threads <= 1 || chunks <= 1) {
    for (std::size_t begin = 0; begin < count; begin += chunk_size)
      sum += body(begin, std::min(count, begin + chunk_size));
    return sum;
  }
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    sum += body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size));
  return sum;
}

template <class F>
void for_chunks(int threads, std::size_t count, F&& body) {
  const std::size_t chunks = chunks_of(count);
  if (threads <= 1 || chunks <= 1) {
    for (std::size_t begin = 0; begin < count; begin += chunk_size)
      body(begin, std::min(count, begin + chunk_size));
    return;
  }
#pragma omp parallel for num_threads(threads)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk)
    body(chunk * chunk_size, std::min(count, (chunk + 1) * chunk_size));
}

/// body(block) for each block: for blocks of uneven work. Each thread has a range of them, and
/// helps others when it has done that.
template <class F>
void for_blocks(int threads, std::size_t blocks, F&& body) {
  if (threads <= 1 || blocks <= 1) {
    for (std::size_t block = 0; block < blocks; ++block) body(block);
    return;
  }
  thread_ranges ranges(threads, blocks);
#pragma omp parallel num_threads(threads)
  for (const int thread = omp_get_thread_num();;) {
    const std::size_t block = ranges.next(thread);
    if (block == blocks) break;
    body(block);
  }
}

/// The same; returns the sum of what the bodies return.
template <class F>
std::size_t sum_over_blocks(int threads, std::size_t blocks, F&& body) {
  std::size_t sum = 0;
  if (threads <= 1 || blocks <= 1) {
    for (std::size_t block = 0; block < blocks; ++block) sum += body(block);
    return sum;
  }
  thread_ranges ranges(threads, blocks);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  for (const int thread = omp_get_thread_num();;) {
    const std::size_t block = ranges.next(thread);
    if (block == blocks) break;
    sum += body(block);
  }
  return sum;
}

}  // namespace tropic::detail::on_cpu
