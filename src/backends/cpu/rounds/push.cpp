// SPDX-License-Identifier: Apache-2.0

// Rounds that push (round_loop.hpp). settle.cpp has what follows a push.
//
// In large rounds each thread lists what it changes. Without buckets, the list of the round is put
// together from these, each position once by the set `listed`. With buckets, a thread's queue takes
// the positions and their values. Rounds that may change a large part of w have no list: a pass
// over w finds what changed.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include "backends/cpu/parallel.hpp"
#include "backends/cpu/rounds/round_loop.hpp"

namespace tropic::detail::on_cpu {

void round_loop::push_round() {
  note_edges(leaving_);
  sent_ += leaving_ + count_;
  unexplored_ -= std::min(unexplored_, leaving_);
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  edges_.few = leaving_ <= few_edges;
  edges_.shared = threads_ > 1 && leaving_ > parallel_edges;
  lists_ = improving_ || in_order_ || asked_.keep != nullptr || edges_.few || leaving_ < size_ / 4;
  std::uint32_t* const list = lists_ ? listed_rows_ : nullptr;
  if (edges_.shared && in_order_) {
    push_by_columns();
    return;
  }
  if (edges_.shared || (threads_ == 1 && improved_of_threads_ != nullptr && !edges_.few))
    push_together();
  else if (count_ == 1)
    listed_count_ = push(edges_, 0, 1, 0, degree(rows_[0]), list);
  else
    listed_count_ = push(edges_, 0, count_, 0, 0, list);
  if (sorted_ && lists_) sort_positions(listed_rows_, listed_count_);
}

// Every part of the columns takes its products in the order of the frontier. Parts are sorted.
void round_loop::push_by_columns() {
  const std::size_t parts = cuts_.size() - 1;
  for_blocks(threads_, parts, [&](std::size_t part) {
    const std::size_t first = cuts_[part], end = cuts_[part + 1];
    found_[part] = 0;
    if (first == end) return;
    round_arguments of_part = edges_;
    of_part.first_column = first;
    of_part.last_column = part + 1 == parts ? std::uint64_t{1} << 32 : end;
    std::uint32_t* const list = listed_rows_ + first;
    found_[part] = kernels_.push_lacking(of_part, 0, count_, 0, 0, list);
    if (found_[part] < (end - first) / 64) {
      std::sort(list, list + found_[part]);
      return;
    }
    std::size_t at = 0;
    for (std::size_t word = first / 64; word < (end + 63) / 64; ++word)
      for (std::uint64_t left = listed_[word]; left != 0; left &= left - 1)
        list[at++] = static_cast<std::uint32_t>(word * 64 +
                                                static_cast<std::size_t>(std::countr_zero(left)));
  });
  listed_count_ = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::memmove(listed_rows_ + listed_count_, listed_rows_ + cuts_[part],
                 found_[part] * sizeof(std::uint32_t));
    listed_count_ += found_[part];
  }
}

round_loop::thread_list round_loop::list_of_thread(std::size_t thread) const {
  const std::size_t at = thread * buffer_stride;
  thread_list list{edges_, lists_ ? buffers_of_threads_ + at : nullptr, nullptr, nullptr};
  if (improved_of_threads_ != nullptr) {
    list.values = improved_of_threads_ + at * bytes_;
    list.queue = queues_[thread].get();
  }
  return list;
}

void round_loop::hand_on(thread_list& from) {
  if (from.held == 0) return;
  if (from.queue != nullptr) {
    try {
      from.queue->add(from.positions, from.values, from.held);
    } catch (const std::bad_alloc&) {
      from.failed = true;  // no exception leaves a parallel region
    }
  } else {
    const std::size_t at = tail_.fetch_add(from.held, std::memory_order_relaxed);
    std::memcpy(listed_rows_ + at, from.positions, from.held * sizeof(std::uint32_t));
  }
  from.held = 0;
}

// Entries [begin, end) of the frontier; of a single one, its edges [first, last).
void round_loop::push_rows(thread_list& to, std::size_t begin, std::size_t end, std::size_t first,
                           std::size_t last) {
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  if (to.values != nullptr) to.edges.improved = to.values + to.held * bytes_;
  to.held += push(to.edges, begin, end, first, last,
                  to.positions != nullptr ? to.positions + to.held : nullptr);
}

// Entries [begin, end) of the frontier but those with long rows.
void round_loop::push_chunk(thread_list& to, std::size_t begin, std::size_t end) {
  while (begin < end) {
    std::size_t fit = begin, sum = 0, last = 0;
    for (; fit < end && sum + (last = degree(rows_[fit])) <= buffer_size - to.held; ++fit)
      sum += last;
    if (fit > begin) {
      push_rows(to, begin, fit, 0, fit - begin == 1 ? sum : 0);
      begin = fit;
    } else if (last > buffer_size) {
      ++begin;
    } else {
      hand_on(to);
    }
  }
}

// What a thread of the team pushes.
void round_loop::push_part(thread_list& to) {
  constexpr std::size_t chunk = 64;
  const std::size_t chunks = (count_ + chunk - 1) / chunk, long_rows = long_count_;
#pragma omp for schedule(dynamic, 1) nowait
  for (std::size_t n = 0; n < chunks; ++n)
    push_chunk(to, n * chunk, std::min(count_, (n + 1) * chunk));
  for (std::size_t n = 0; n < long_rows; ++n) {
    const std::size_t row = long_rows_[n], edges = degree(rows_[row]);
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t first = 0; first < edges; first += buffer_size) {
      hand_on(to);
      push_rows(to, row, row + 1, first, std::min(edges, first + buffer_size));
    }
  }
  hand_on(to);
}

void round_loop::push_together() {
  tail_ = 0;
  any_in_any_queue_ = any_in_any_queue_ || queues_.size() > 1;
  bool failed = false;
  const auto push = [&](std::size_t thread) {
    thread_list list = list_of_thread(thread);
    push_part(list);
    return list.failed;
  };
  if (threads_ == 1) {  // a team of one thread costs a system call
    failed = push(0);
  } else {
#pragma omp parallel num_threads(threads_) reduction(|| : failed)
    failed = push(static_cast<std::size_t>(omp_get_thread_num()));
  }
  listed_count_ = tail_;
  if (failed) throw std::bad_alloc{};
}

}  // namespace tropic::detail::on_cpu
