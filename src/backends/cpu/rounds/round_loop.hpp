// SPDX-License-Identifier: Apache-2.0
#pragma once

// The loop of iterate_until on the CPU. The frontier is a list of positions, and products are
// combined with w in place: a round costs the edges that leave its frontier and nothing for the
// other vertices. The list is in no order, except where sums are taken in the order of the
// frontier. Small rounds stay on the calling thread; where there are many of some hundred edges,
// threads share them by position (owners.cpp).

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/backend.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/rounds/bucket_queue.hpp"
#include "backends/cpu/rounds/position_sorter.hpp"
#include "backends/cpu/rounds/sharing.hpp"
#include "backends/cpu/rounds/spinning_barrier.hpp"

namespace tropic::detail::on_cpu {

/// A full or bitmap vector whose entries are written one by one.
struct dense_output {
  std::byte* values = nullptr;      // null: there is no such vector
  std::uint8_t* present = nullptr;  // null: it is full
  std::size_t added = 0;            // entries that it did not have

  dense_output(const memory_side& here, vector_base* v) {
    if (v == nullptr) return;
    values = here.write_as<std::byte>(v->values, access::modify);
    if (v->storage == vector_storage::bitmap)
      present = here.write_as<std::uint8_t>(v->present, access::modify);
  }
  /// Returns 1 for an entry that was not there.
  std::size_t add(std::size_t j) const {
    if (present == nullptr || present[j]) return 0;
    present[j] = 1;
    return 1;
  }
};

class round_loop {
 public:
  /// `incoming`: the matrix by columns, to pull; null where it is not at hand.
  round_loop(const memory_side& here, const iteration& asked, vector_base& w,
             const vector_base& frontier, const matrix_base* incoming);
  /// Returns the number of rounds.
  index_t run(index_t first, index_t max_rounds);
  /// The entries that the next round starts from.
  vector_base frontier();
  void add_counts(const iteration& asked, vector_base& w) const;
  /// Edges that the rounds looked at, about.
  index_t sent() const { return static_cast<index_t>(sent_); }

 private:
  static constexpr std::size_t parallel_edges = 1 << 14;  // edges that are worth a second thread
  static constexpr std::size_t few_edges = 1 << 13;  // those of rounds that are often in the cache
  static_assert(few_edges <= parallel_edges);
  static constexpr std::size_t parallel_positions = 1 << 13;  // positions that are
  static constexpr std::size_t parallel_flags = 1 << 17;      // flags that are
  static constexpr std::size_t batch_size = 256;
  static constexpr std::size_t buffer_size = 1 << 13;  // positions that a thread lists by itself
  static constexpr std::size_t edges_of_a_call =
      1 << 24;  // tens of milliseconds without a checkpoint
  // A kernel may write one position behind those that it lists; and no two threads share a cache
  // line.
  static constexpr std::size_t buffer_stride = buffer_size + 16;
  static constexpr std::uint32_t most_owners = 4;
  static constexpr std::size_t messages_of_an_owner = 1 << 12;
  // Rounds before owners share any.
  static constexpr index_t rounds_before_sharing = 16;
  static constexpr index_t rounds_of_a_watch = 64;

  template <class T>
  T* room(std::size_t count) {
    return here_.write_as<T>(buffers_.emplace_back(here_.allocate(count, sizeof(T))));
  }
  void bind(round_arguments& to, const matrix_base& m) const;
  void cut_columns();
  void mark_settled();
  void mark_present();
  void start_from(const vector_base& frontier);
  void start_bucket();
  std::size_t degree(std::uint32_t row) const {
    return edges_.offset(row + std::size_t{1}) - edges_.offset(row);
  }

  void push_round();
  void push_together();
  void push_by_columns();
  // What a thread lists by itself in a round that threads share.
  struct thread_list {
    round_arguments edges;
    std::uint32_t* positions;  // null: the round has no list
    std::byte* values;         // null: none
    bucket_queue* queue;
    std::size_t held = 0;
    bool failed = false;  // there is no memory
  };
  thread_list list_of_thread(std::size_t thread) const;
  void push_part(thread_list& to);
  void push_chunk(thread_list& to, std::size_t begin, std::size_t end);
  void push_rows(thread_list& to, std::size_t begin, std::size_t end, std::size_t first,
                 std::size_t last);
  void hand_on(thread_list& from);
  void settle();
  void settle_part(std::size_t begin, std::size_t end, bool shared);
  void settle_unlisted();
  void list_waiting(const std::uint32_t* positions, std::size_t count, bool shared);
  std::size_t keep(std::size_t begin, std::size_t end, std::uint32_t* kept, std::size_t& beyond);
  void append(const std::uint32_t* rows, std::size_t count, std::size_t at, bool shared);
  void append_to_order();
  void note_rows(std::size_t begin, std::size_t end, bool shared);

  // body(begin, end, shared) for batches of [0, count), by several threads where `shared`.
  template <class F>
  void for_batches(std::size_t count, F&& body) const {
    const std::size_t batches = (count + batch_size - 1) / batch_size;
    if (threads_ == 1 || count <= parallel_positions) {  // a team of one thread costs a system call
      for (std::size_t n = 0; n < batches; ++n)
        body(n * batch_size, std::min(count, (n + 1) * batch_size), false);
      return;
    }
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 4)
    for (std::size_t n = 0; n < batches; ++n)
      body(n * batch_size, std::min(count, (n + 1) * batch_size), true);
  }

  // body(n, shared) for each queue n, at the same time, `shared`, if they have `count` positions
  // that are worth it.
  template <class F>
  void for_queues(std::size_t count, F&& body) const {
    if (queues_.size() == 1 || count <= parallel_positions) {
      for (std::size_t n = 0; n < queues_.size(); ++n) body(n, false);
      return;
    }
    bool failed = false;  // no exception leaves a parallel region
#pragma omp parallel for num_threads(threads_) schedule(static, 1) reduction(|| : failed)
    for (std::size_t n = 0; n < queues_.size(); ++n) {
      try {
        body(n, true);
      } catch (const std::bad_alloc&) {
        failed = true;
      }
    }
    if (failed) throw std::bad_alloc{};
  }

  void sort_positions(std::uint32_t* positions, std::size_t count);

  // What an owner says about a round; or the sums of all.
  struct statement {
    std::size_t count = 0, edges = 0;  // of its frontier
    bool is_done = true;               // all of it is pushed
    bool should_stop = false;          // sharing is slow
    bool failed = false;               // there is no memory
    bool waits = false;                // it has no frontier, but positions in buckets
  };
  // What an owner sends in a round. Others read one slot while it writes the other, which is
  // therefore in another cache line.
  struct alignas(128) outgoing {
    round_messages messages;
    statement said;
  };
  struct alignas(128) owner {
    round_arguments edges;
    std::uint32_t *rows = nullptr, *listed = nullptr;  // the frontier; positions that changed
    std::uint32_t* outside = nullptr;                  // those of them past the bucket
    std::byte* values = nullptr;                       // of the frontier, as values_
    std::size_t count = 0, leaving = 0, listed_count = 0;
    std::size_t next = 0, first = 0;  // the entry to push next, from this edge on
    std::size_t of_round = 0;         // entries that `rounds` did not have
    unsigned slot = 0;
    bool should_stop = false, failed = false, has_looked = false;
    std::array<outgoing, 2> sent;
  };
  std::uint32_t owner_of(std::uint32_t j) const {
    return j / round_arguments::owned_block & (owners_ - 1);
  }
  std::vector<std::size_t> by_owner(const std::uint32_t* positions, std::size_t count);
  void make_owners();
  void make_messages();
  void note_edges(std::size_t edges);
  bool can_share() const;
  bool should_share() const;
  void share_rounds(index_t max_rounds);
  void share_rounds(owner& o, spinning_barrier& barrier, index_t max_rounds);
  bool push_messages(owner& o);
  statement exchange(owner& o, spinning_barrier& barrier, bool is_done);
  bool is_slow(std::size_t units);
  void settle_owned(owner& o, index_t number);
  void append_owned(owner& o);
  void start_bucket(owner& o);
  void collect_frontier();

  bool pays_to_pull(std::size_t leaving, std::size_t unexplored) const;
  void pull_rounds(index_t limit);
  void pull_round();
  void settle_pulled();
  void list_frontier();

  const memory_side& here_;
  const iteration& asked_;
  const cpu_round_kernels& kernels_;
  const bool improving_;
  const std::size_t size_, words_, bytes_;
  const std::size_t weight_bytes_;  // from one value of the matrix to the next
  const int threads_;
  const bool can_pull_;
  const bool in_order_;  // sums are taken in the order of the frontier
  const bool sorted_;    // the frontier is kept ascending; all that changes makes the next one
  std::vector<buffer_pointer> buffers_;
  dense_output w_, beyond_, round_;
  round_arguments edges_, incoming_;

  std::uint32_t* rows_;         // the frontier
  std::byte* values_;           // of the frontier, where they are not those of w
  std::uint32_t* listed_rows_;  // positions that changed in this round
  std::uint32_t* long_rows_;    // entries of the frontier whose rows the threads share
  std::uint32_t* buffers_of_threads_ = nullptr;
  std::byte* improved_of_threads_ = nullptr;  // with buckets: values, as round_arguments::improved
  std::uint32_t* waiting_ = nullptr;          // positions that go to queues after the round
  bucket_queue::all queues_;                  // of owners and threads; empty without buckets
  bool any_in_any_queue_ = false;             // positions may wait where they are not owned
  std::uint64_t *listed_, *settled_ = nullptr;  // sets, a bit a position
  position_sorter sorter_;
  // For push_by_columns: where parts of the columns begin, and how many positions each has listed.
  std::vector<std::size_t> cuts_, found_;
  std::uint64_t *frontier_bits_ = nullptr, *next_bits_ = nullptr;
  std::array<std::size_t, most_owners> waiting_counts_{};  // by owner
  std::size_t count_ = 0;                                  // entries of the frontier
  std::size_t listed_count_ = 0;                           // of listed_rows_
  bool lists_ = true;                                      // the round lists what it changes
  std::size_t leaving_ = 0;                                // edges that leave the frontier
  std::size_t unexplored_;                                 // edges that left no frontier yet
  std::size_t sent_ = 0;                                   // edges of all rounds
  std::atomic<std::size_t> tail_{0}, long_count_{0};
  index_t number_ = 0, rounds_ = 0;

  std::uint32_t owners_ = 1;       // a power of two
  std::size_t owned_;              // positions of an owner, at most; the stride of their lists
  std::vector<owner> all_owners_;  // empty: rounds are not shared
  std::size_t usual_edges_ = 0;    // of the last rounds, about
  index_t share_from_ = rounds_before_sharing;
  cost_of_one_thread cost_;
  // The last shared rounds, of the calling thread: since when, and how much work they were.
  struct {
    round_sharing::clock::time_point start;
    std::size_t units = 0;
    index_t rounds = 0;
  } watch_;
};

}  // namespace tropic::detail::on_cpu
