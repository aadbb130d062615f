// SPDX-License-Identifier: Apache-2.0

// Removal in the order of counts, in place, in rounds (Kabir and Madduri, "Parallel k-core
// decomposition on multicore platforms", IPDPSW 2017, section III): a list of the vertices that are
// left, which every search for the next level shortens, and one of the removed ones in their order,
// in which those of a round are consecutive. Threads share rounds of many vertices; the one that
// lowers a count to the level lists the vertex, so that a round has the same vertices in every run.
// Their order in the list does not change the results.
//
// Work O(vertices + entries): a vertex is left at no more levels than it has entries. Searches run
// on one thread. Three words a vertex besides the levels.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "containers/cancel_watch.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

constexpr std::size_t removed_at_once = 64;  // of one thread
constexpr std::size_t shared_round = 1024;   // vertices of a round that threads share

class peeler {
 public:
  struct arrays {
    std::uint32_t *count, *left, *removed;
    index_t* level;
  };
  peeler(const matrix_view& a, const arrays& state) : a_(a), state_(state) {}

  // Lists the vertices with a count.
  void begin() {
    for (std::size_t v = 0; v < a_.rows; ++v) {
      state_.level[v] = 0;
      if (state_.count[v] > 0) state_.left[left_++] = static_cast<std::uint32_t>(v);
    }
  }

  peeling run(cancel_watch& watch, int threads) {
    peeling result;
    for (std::uint32_t k = 1;; ++k) {
      if (search(k) == 0) {
        if (left_ == 0) return result;
        search(k = least_);
      }
      result.largest = k;
      for (std::size_t from = done_; from < end_; from = done_, ++result.rounds) {
        watch.check();
        done_ = end_;
        if (threads > 1 && done_ - from >= shared_round)
          for_blocks(threads, (done_ - from + removed_at_once - 1) / removed_at_once,
                     [&](std::size_t block) {
                       const std::size_t first = from + block * removed_at_once;
                       lower<true>(watch, first, std::min(done_, first + removed_at_once), k);
                     });
        else
          lower<false>(watch, from, done_, k);
        watch.check();
      }
    }
  }

 private:
  void remove(std::uint32_t v, std::size_t place, std::uint32_t k) {
    state_.level[v] = k;
    state_.removed[place] = v;
  }

  // Removes the vertices whose count is k. Counts below are of removed ones. Returns how many.
  std::size_t search(std::uint32_t k) {
    const std::size_t before = end_;
    std::size_t kept = 0;
    least_ = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t n = 0; n < left_; ++n) {
      const std::uint32_t v = state_.left[n], count = state_.count[v];
      if (count == k) remove(v, end_++, k);
      if (count <= k) continue;
      state_.left[kept++] = v;
      least_ = std::min(least_, count);
    }
    left_ = kept;
    return end_ - before;
  }

  // The removed vertices [first, last) lower the counts of their neighbours.
  template <bool Shared>
  void lower(cancel_watch& watch, std::size_t first, std::size_t last, std::uint32_t k) {
    for (std::size_t n = first; n < last; ++n) {
      if (n % removed_at_once == 0 && watch.is_cancelled()) return;
      const std::size_t v = state_.removed[n], end = a_.offsets[v + 1];
      for (std::size_t e = a_.offsets[v]; e < end; ++e) {
        const std::uint32_t u = a_.column[e];
        if constexpr (Shared) {
          const std::atomic_ref count(state_.count[u]);
          if (count.load(std::memory_order_relaxed) <= k) continue;
          if (count.fetch_sub(1, std::memory_order_relaxed) == k + 1)
            remove(u, std::atomic_ref(end_).fetch_add(1, std::memory_order_relaxed), k);
        } else if (state_.count[u] > k && --state_.count[u] == k) {
          remove(u, end_++, k);
        }
      }
    }
  }

  const matrix_view& a_;
  const arrays state_;
  std::size_t left_ = 0;            // in the list of those that are left
  std::size_t done_ = 0, end_ = 0;  // of the removed ones: have lowered counts, all
  std::uint32_t least_ = 0;         // count that the last search has left
};

}  // namespace

std::optional<peeling> cpu_backend::peel(vector_base& level, const vector_base& count,
                                         const matrix_base& a) {
  const memory_side here(context_, on_host_);
  const matrix_view view(here, a);
  const vector_view given(here, count);
  vector_base result = shell(here, *level.type, level.size);
  result.storage = vector_storage::full;
  result.nvals = result.size;
  result.values = here.allocate(view.rows, sizeof(index_t));
  constexpr std::size_t word = sizeof(std::uint32_t);
  const buffer_pointer counts = here.allocate(view.rows, word),
                       left = here.allocate(view.rows, word),
                       removed = here.allocate(view.rows, word);
  auto* const counted = here.write_as<std::uint32_t>(counts);
  const auto* const values = reinterpret_cast<const std::uint32_t*>(given.values);
  std::fill_n(counted, view.rows, 0);
  if (given.is_sparse())
    for (std::size_t n = 0; n < given.nvals; ++n) counted[given.indices[n]] = values[n];
  else
    for (std::size_t v = 0; v < view.rows; ++v)
      if (given.has(v)) counted[v] = values[v];
  cancel_watch watch(here.context());
  peeler work(view, {counted, here.write_as<std::uint32_t>(left),
                     here.write_as<std::uint32_t>(removed), here.write_as<index_t>(result.values)});
  work.begin();
  const peeling found = work.run(watch, here.threads());
  level = std::move(result);
  return found;
}

}  // namespace tropic::detail
