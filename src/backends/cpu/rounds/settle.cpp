// SPDX-License-Identifier: Apache-2.0

// After a push (round_loop.hpp): the positions that it changed, which of them make the next
// frontier, and buckets.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/rounds/round_loop.hpp"

namespace tropic::detail::on_cpu {

namespace {

/// Adds to a sum that other threads may add to; returns what it was.
std::size_t add_to(std::size_t& sum, std::size_t addend, bool shared) {
  if (shared) return std::atomic_ref<std::size_t>(sum).fetch_add(addend, std::memory_order_relaxed);
  return std::exchange(sum, sum + addend);
}

/// The bits of `open` where an element differs from `same`; elements of N bytes, or of `bytes` if N
/// is 0.
template <std::size_t N>
std::uint64_t differing(std::uint64_t open, const std::byte* elements, const void* same,
                        std::size_t bytes) {
  const std::size_t size = N != 0 ? N : bytes;
  std::uint64_t result = 0;
  for (; open != 0; open &= open - 1) {
    const int k = std::countr_zero(open);
    result |=
        std::uint64_t{std::memcmp(elements + static_cast<std::size_t>(k) * size, same, size) != 0}
        << k;
  }
  return result;
}

}  // namespace

// Evaluates `keep` at listed positions [begin, end), at most a batch: lists those that it keeps,
// and gives the others to `beyond`. Returns how many are kept.
std::size_t round_loop::keep(std::size_t begin, std::size_t end, std::uint32_t* kept,
                             std::size_t& beyond) {
  const std::size_t count = end - begin;
  const std::uint32_t* const at = listed_rows_ + begin;
  alignas(64) std::byte values[batch_size * sizeof(std::uint64_t)];
  std::uint8_t keeps[batch_size];
  index_t i[batch_size], j[batch_size];
  gather(values, w_.values, at, count, bytes_);
  if (asked_.keep->op.syntax->positional())
    for (std::size_t n = 0; n < count; ++n) {
      i[n] = at[n];
      j[n] = 0;
    }
  const bound_operands operands = operands_of(*asked_.keep, {values, bytes_, false});
  asked_.keep->op({.z = keeps,
                   .x = operands.x.values,
                   .y = operands.y.values,
                   .count = count,
                   .x_scalar = operands.x.scalar,
                   .y_scalar = operands.y.scalar,
                   .i = i,
                   .k = j,
                   .j = j});
  std::size_t found = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (keeps[n]) {
      kept[found++] = at[n];
    } else if (beyond_.values != nullptr) {
      std::memcpy(beyond_.values + at[n] * bytes_, values + n * bytes_, bytes_);
      beyond += beyond_.add(at[n]);
    }
  }
  return found;
}

// Listed positions [begin, end), at most a batch: they have an entry now, and make the next
// frontier where they are kept.
void round_loop::settle_part(std::size_t begin, std::size_t end, bool shared) {
  std::size_t of_round = 0, of_beyond = 0;  // entries that were not there
  std::uint32_t kept[batch_size + 1];
  for (std::size_t n = begin; n < end; ++n) {
    const std::uint32_t j = listed_rows_[n];
    const std::uint64_t bit = std::uint64_t{1} << (j % 64);
    // No bits of this word are set but those of listed positions, which all are cleared.
    std::atomic_ref<std::uint64_t>(listed_[j / 64]).store(0, std::memory_order_relaxed);
    if (settled_ != nullptr) {
      if (shared)
        std::atomic_ref<std::uint64_t>(settled_[j / 64]).fetch_or(bit, std::memory_order_relaxed);
      else
        settled_[j / 64] |= bit;
    }
    if (round_.values != nullptr)
      std::memcpy(round_.values + j * sizeof(index_t), &number_, sizeof(index_t));
    if (improving_) of_round += round_.add(j);  // else mark_present does it for all
  }
  const auto add = [shared](std::size_t& sum, std::size_t addend) {
    return add_to(sum, addend, shared);
  };
  const std::uint32_t* next = listed_rows_ + begin;
  std::size_t found = end - begin;
  if (!queues_.empty()) {
    std::uint32_t outside[batch_size + 1];
    found = queues_.front()->split(next, end - begin, kept, outside);
    list_waiting(outside, end - begin - found, shared);
    next = kept;
  } else if (asked_.keep != nullptr) {
    found = keep(begin, end, kept, of_beyond);
    next = kept;
  }
  append(next, found, sorted_ ? begin : add_to(count_, found, shared), shared);
  add(round_.added, of_round);
  add(beyond_.added, of_beyond);
}

// After a push without a list: the positions that it changed, in ascending order, make the next
// frontier.
void round_loop::settle_unlisted() {
  constexpr std::size_t chunk = 64;  // words
  const std::size_t chunks = (words_ + chunk - 1) / chunk;
  const void* const identity = asked_.semiring.add.identity.data();
  std::uint32_t* const starts = listed_rows_;  // of the chunks in the frontier
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
  for (std::size_t n = 0; n < chunks; ++n) {
    std::uint32_t found = 0;
    with_element_size(bytes_, [&]<std::size_t N>() {
      for (std::size_t word = n * chunk; word < std::min(words_, (n + 1) * chunk); ++word) {
        const std::uint64_t open = ~settled_[word];
        listed_[word] |=
            differing<N>(open & ~listed_[word], w_.values + word * 64 * bytes_, identity, bytes_);
        found += static_cast<std::uint32_t>(std::popcount(listed_[word]));
      }
    });
    starts[n] = found;
  }
  const std::uint32_t of_last = starts[chunks - 1];
  std::exclusive_scan(starts, starts + chunks, starts, std::uint32_t{0});
  count_ = starts[chunks - 1] + std::size_t{of_last};
  std::size_t edges = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : edges) if (threads_ > 1)
  for (std::size_t n = 0; n < chunks; ++n) {
    std::size_t at = starts[n];
    for (std::size_t word = n * chunk; word < std::min(words_, (n + 1) * chunk); ++word) {
      const std::uint64_t changed = std::exchange(listed_[word], 0);
      settled_[word] |= changed;
      for (std::uint64_t left = changed; left != 0; left &= left - 1) {
        const std::size_t j = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (round_.values != nullptr)
          std::memcpy(round_.values + j * sizeof(index_t), &number_, sizeof(index_t));
        const std::size_t of_row = degree(static_cast<std::uint32_t>(j));
        edges += of_row;
        if (of_row > buffer_size)
          long_rows_[long_count_.fetch_add(1, std::memory_order_relaxed)] =
              static_cast<std::uint32_t>(at);
        rows_[at++] = static_cast<std::uint32_t>(j);
      }
    }
  }
  leaving_ = edges;
}

// Lists positions past the current bucket, at most a batch, for the queues of their owners.
void round_loop::list_waiting(const std::uint32_t* positions, std::size_t count, bool shared) {
  const auto list = [&](std::uint32_t n, const std::uint32_t* from, std::size_t length) {
    std::memcpy(waiting_ + n * owned_ + add_to(waiting_counts_[n], length, shared), from,
                length * sizeof(std::uint32_t));
  };
  if (owners_ == 1) return list(0, positions, count);
  std::array<std::array<std::uint32_t, batch_size>, most_owners> of_owner;
  std::array<std::size_t, most_owners> counts{};
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t j = positions[k], n = owner_of(j);
    of_owner[n][counts[n]++] = j;
  }
  for (std::uint32_t n = 0; n < owners_; ++n) list(n, of_owner[n].data(), counts[n]);
}

// Puts positions into the frontier, as entries `at` and following.
void round_loop::append(const std::uint32_t* rows, std::size_t count, std::size_t at, bool shared) {
  std::memcpy(rows_ + at, rows, count * sizeof(std::uint32_t));
  if (improving_) gather(values_ + at * bytes_, w_.values, rows, count, bytes_);
  note_rows(at, at + count, shared);
}

// Entries [begin, end) of the frontier: their edges, which the next push reads, and long rows.
void round_loop::note_rows(std::size_t begin, std::size_t end, bool shared) {
  std::size_t edges = 0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t first = edges_.offset(rows_[n]), of_row = degree(rows_[n]);
    edges += of_row;
    TROPIC_DETAIL_PREFETCH(edges_.columns + first);
    if (improving_)
      TROPIC_DETAIL_PREFETCH(static_cast<const std::byte*>(edges_.a) + first * weight_bytes_);
    if (of_row > buffer_size)
      long_rows_[long_count_.fetch_add(1, std::memory_order_relaxed)] =
          static_cast<std::uint32_t>(n);
  }
  add_to(leaving_, edges, shared);
}

// The frontier of the lowest bucket that has one; empty where none has.
void round_loop::start_bucket() {
  leaving_ = 0;
  long_count_ = 0;
  std::size_t waiting = 0;
  for (const auto& queue : queues_) waiting += queue->next_count();
  std::atomic<bool> waits{false};
  for_queues(waiting, [&](std::size_t n, bool) {
    if (queues_[n]->look(0)) waits.store(true, std::memory_order_relaxed);
  });
  if (!waits) return;
  for_queues(waiting, [&](std::size_t n, bool shared) {
    const std::size_t count = queues_[n]->start(queues_, 0), at = add_to(count_, count, shared);
    queues_[n]->take(rows_ + at, values_ + at * bytes_);
    note_rows(at, at + count, shared);
  });
}

void round_loop::settle() {
  count_ = sorted_ ? listed_count_ : 0;
  leaving_ = 0;
  long_count_ = 0;
  if (!improving_) {  // the frontier's values are those of w from now on
    edges_.by_position = true;
    edges_.u = w_.values;
  }
  if (!lists_) {
    settle_unlisted();
    return;
  }
  for_batches(listed_count_, [&](std::size_t begin, std::size_t end, bool shared) {
    settle_part(begin, end, shared);
  });
  if (queues_.empty()) return;
  const std::size_t outside =
      std::accumulate(waiting_counts_.begin(), waiting_counts_.end(), std::size_t{0});
  if (outside == 0) return;
  for_queues(outside, [&](std::size_t n, bool) {
    if (n < owners_) queues_[n]->add(waiting_ + n * owned_, std::exchange(waiting_counts_[n], 0));
  });
}

// Ascending; many by their bits, which may be set before and are not after.
void round_loop::sort_positions(std::uint32_t* positions, std::size_t count) {
  if (count < words_ / 4) {
    sorter_.sort(positions, count, size_);
    return;
  }
  for (std::size_t n = 0; n < count; ++n)
    listed_[positions[n] / 64] |= std::uint64_t{1} << (positions[n] % 64);
  std::size_t at = 0;
  for (std::size_t word = 0; word < words_; ++word)
    for (std::uint64_t left = std::exchange(listed_[word], 0); left != 0; left &= left - 1)
      positions[at++] =
          static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace tropic::detail::on_cpu
