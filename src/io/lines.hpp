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

#include <algorithm>
#include <cstddef>
#include <functional>
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

/// Runs body(i) for i in [0, count), in parallel, reporting progress from the calling thread. A
/// task is long enough that a call through a pointer does not count.
void for_each_task(std::size_t count, const job& work,
                   const std::function<void(std::size_t)>& body);

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
std::size_t chunk_step(std::size_t size, const job& work);

std::vector<std::string_view> split_lines(std::string_view text, const job& work);

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

data_lines find_data_lines(std::string_view body, comment_marks comments, const job& work);

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
