// SPDX-License-Identifier: Apache-2.0
#include "io/lines.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace tropic::io::detail {

void for_each_task(std::size_t count, const job& work,
                   const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> done = 0;
  std::atomic<std::size_t> first_failed = count;
  std::atomic<bool> stopped = false;
  std::exception_ptr failure;
  const int threads = work.thread_count();  // checks the number, also for a single task
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (count > 1)
  for (std::size_t i = 0; i < count; ++i) {
    if (stopped.load(std::memory_order_relaxed) || i > first_failed.load(std::memory_order_relaxed))
      continue;
    try {
      body(i);
      const std::size_t finished = ++done;
      if (omp_get_thread_num() == 0 &&
          !work.report(static_cast<double>(finished) / static_cast<double>(count))) {
        stopped = true;
        throw cancelled();
      }
    } catch (...) {
#pragma omp critical(tropic_io_failure)
      if (i < first_failed) {
        first_failed = i;
        failure = std::current_exception();
      }
    }
  }
  if (stopped) throw cancelled();
  if (failure) std::rethrow_exception(failure);
  // The calling thread may not have run one of the last tasks.
  if (!work.report(1)) throw cancelled();
}

std::size_t chunk_step(std::size_t size, const job& work) {
  // Small enough to balance the threads, large enough to amortise the cost of a task.
  constexpr std::size_t smallest = std::size_t{1} << 16, largest = std::size_t{1} << 22;
  const auto shares = static_cast<std::size_t>(work.thread_count()) * 8;
  return work.chunk_bytes ? work.chunk_bytes : std::clamp(size / shares, smallest, largest);
}

std::vector<std::string_view> split_lines(std::string_view text, const job& work) {
  const std::size_t step = chunk_step(text.size(), work);
  std::vector<std::string_view> chunks;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.size();
    if (step < text.size() - begin) {
      const std::size_t newline = text.find('\n', begin + step - 1);
      if (newline != std::string_view::npos) end = newline + 1;
    }
    chunks.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return chunks;
}

data_lines find_data_lines(std::string_view body, comment_marks comments, const job& work) {
  data_lines lines{split_lines(body, work), {}, comments};
  lines.first.assign(lines.chunks.size() + 1, 0);
  for_each_task(lines.chunks.size(), work, [&](std::size_t i) {
    cursor c(lines.chunks[i]);
    std::size_t count = 0;
    while (next_data_line(c, comments)) {
      ++count;
      const void* newline =
          std::char_traits<char>::find(c.at, static_cast<std::size_t>(c.end - c.at), '\n');
      c.at = newline ? static_cast<const char*>(newline) + 1 : c.end;
    }
    lines.first[i + 1] = count;
  });
  for (std::size_t i = 0; i < lines.chunks.size(); ++i) lines.first[i + 1] += lines.first[i];
  return lines;
}

}  // namespace tropic::io::detail
