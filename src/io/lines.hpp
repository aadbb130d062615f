// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parallel work over the lines of a text.
//
// The body of a file is cut at newlines into chunks. A first pass counts the data lines of every
// chunk. Their prefix sum gives the position of each chunk's entries, so that the second pass
// parses directly into the final arrays: there are no lists to merge, the order is that of the file
// for any number of threads, and memory is bounded by the content of the file, whatever its header
// claims. (The pipeline of fast_matrix_market without its merge.)
//
// If several chunks fail, the failure that comes first in the file is reported.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <tropic/detail/threads.hpp>
#include <tropic/io.hpp>
#include <vector>

#include "io/memory.hpp"
#include "io/text.hpp"

namespace tropic::io::detail {

/// Threads, chunk size, and the part of the progress bar that this step covers.
struct job {
  int threads = 0;
  std::size_t chunk_bytes = 0;
  const progress_function* progress = nullptr;
  double from = 0;
  double to = 1;
  memory_room memory;

  job() = default;
  job(const read_options& options, double begin, double end)
      : threads(options.threads),
        chunk_bytes(options.chunk_bytes),
        progress(&options.progress),
        from(begin),
        to(end),
        memory(options) {}

  /// The same without reports.
  job quietly() const {
    job same = *this;
    same.progress = nullptr;
    return same;
  }
  int thread_count() const { return tropic::detail::checked_threads(threads); }
  /// Returns false once the caller has asked to stop.
  bool report(double share) const {
    return !progress || !*progress || (*progress)(from + (to - from) * share);
  }
};

/// Runs body(i) for i in [0, count), in parallel, reporting progress from the calling thread.
template <class F>
void for_each_task(std::size_t count, const job& work, F&& body) {
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

/// Runs the functions as tasks.
template <class... F>
void run_together(const job& work, F&&... functions) {
  for_each_task(sizeof...(F), work, [&](std::size_t wanted) {
    std::size_t n = 0;
    (void)((n++ == wanted && (functions(), true)) || ...);
  });
}

/// Resizes arrays by a task each, as they are filled with zeros. They keep their old content. The
/// caller has checked the memory.
template <class... T>
void resize_together(const job& work, std::size_t size, std::vector<T>&... arrays) {
  run_together(work.quietly(), [&] {
    arrays.reserve(size);  // resize() alone would double the capacity
    arrays.resize(size);
  }...);
}

/// The same for the entries of a matrix and their values, with room for `copies` times as many.
inline void resize_entries(const job& work, coordinates& m, std::size_t size,
                           std::size_t copies = 1) {
  const auto resize = [&](auto& array, std::size_t per_entry) {
    array.reserve(size * copies * per_entry);
    array.resize(size * per_entry);
  };
  run_together(
      work.quietly(), [&] { resize(m.row, 1); }, [&] { resize(m.column, 1); },
      [&] {
        if (!m.pattern) resize(m.values, m.value_size());
      });
}

/// The chunk size for a text of that size.
inline std::size_t chunk_step(std::size_t size, const job& work) {
  // Small enough to balance the threads, large enough to amortise the cost of a task.
  constexpr std::size_t smallest = std::size_t{1} << 16, largest = std::size_t{1} << 22;
  const auto shares = static_cast<std::size_t>(work.thread_count()) * 8;
  return work.chunk_bytes ? work.chunk_bytes : std::clamp(size / shares, smallest, largest);
}

inline std::vector<std::string_view> split_lines(std::string_view text, const job& work) {
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

/// The characters that start a comment line ('\0' for none). Blank lines never count.
struct comment_marks {
  char first = '\0';
  char second = '\0';
  bool operator()(char c) const { return (c == first || c == second) && c != '\0'; }
};

/// Moves to the first character of the next data line; false at the end.
inline bool next_data_line(cursor& c, comment_marks comments) {
  for (;;) {
    c.skip_space();
    if (c.at == c.end) return false;
    if (*c.at != '\n' && !comments(*c.at)) return true;
    c.skip_line();
  }
}

struct data_lines {
  std::vector<std::string_view> chunks;
  std::vector<std::size_t> first;  ///< number of the first data line of each chunk, then the total
  comment_marks comments;

  std::size_t count() const { return first.back(); }
};

inline data_lines find_data_lines(std::string_view body, comment_marks comments, const job& work) {
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

/// Calls parse(cursor, number of the data line) for each of the first `limit` data lines, in order
/// within a chunk. `parse` must consume its whole line.
template <class F>
void for_each_data_line(const data_lines& lines, std::size_t limit, const job& work, F&& parse) {
  for_each_task(lines.chunks.size(), work, [&](std::size_t i) {
    cursor c(lines.chunks[i]);
    std::size_t k = lines.first[i];
    auto parse_here = parse;  // a copy per task: it may carry a position
    while (k < limit && next_data_line(c, lines.comments)) parse_here(c, k++);
  });
}

/// Thrown if a text has no entry k any more: the file has changed since it was read first.
[[noreturn]] inline void refuse_lost_entry(const char* end, std::size_t k) {
  throw parse_failure{end, "the end of the file",
                      "entry " + std::to_string(k + 1) + ", which was there before"};
}

/// The position of data line k in `body`. Throws parse_failure if there are fewer lines.
inline const char* data_line_at(const data_lines& lines, std::string_view body, std::size_t k) {
  if (k >= lines.count()) refuse_lost_entry(body.data() + body.size(), k);
  const auto after = std::upper_bound(lines.first.begin(), lines.first.end(), k);
  const auto i = static_cast<std::size_t>(after - lines.first.begin()) - 1;
  cursor c(lines.chunks[i]);
  for (std::size_t n = lines.first[i]; next_data_line(c, lines.comments) && n < k; ++n)
    c.skip_line();
  return c.at;
}

}  // namespace tropic::io::detail
