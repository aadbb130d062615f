// SPDX-License-Identifier: Apache-2.0

// Rounds of some hundred edges that threads share (round_loop.hpp), as a road network has
// thousands of. Each thread owns blocks of positions, in turns: only it writes w, the sets and the
// lists there, without atomic operations. It pushes the entries of the frontier that it owns, and
// sends products for positions of others to their owners. A round has one barrier: all have sent,
// before any takes (Valiant, "A bridging model for parallel computation", CACM 1990). What a thread
// says or sends is in one of two slots, in turns: others read the last one while it writes the
// next.
//
// Everyone decides by the same sums what comes next. They are those of the round that has been
// pushed, so that a round too large for this is noticed when it is over.

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/rounds/round_loop.hpp"

namespace tropic::detail::on_cpu {

round_sharing& round_sharing::of_process() {
  static round_sharing rule({});
  return rule;
}

void round_loop::make_owners() {
  constexpr std::size_t block = round_arguments::owned_block;
  const int threads =
      std::min({threads_, round_sharing::of_process().chosen().processors, omp_get_num_procs()});
  const bool has_kernel = (improving_ ? kernels_.take_improving : kernels_.take_lacking) != nullptr;
  // The frontier of owners is in no order, and all that an owner lists makes the next one.
  if (threads > 1 && !sorted_ && asked_.keep == nullptr && has_kernel &&
      size_ > most_owners * block)
    owners_ = std::min(most_owners, std::bit_floor(static_cast<std::uint32_t>(threads)));
  const std::size_t blocks = (size_ + block - 1) / block;
  owned_ = (blocks + owners_ - 1) / owners_ * block + 16;  // kernels write one behind a list
}

void round_loop::make_messages() {
  if (owners_ == 1) return;
  const std::size_t others = buffers_.size();
  try {
    all_owners_.resize(owners_);
    for (owner& o : all_owners_)
      for (auto& [messages, said] : o.sent) {
        messages.positions = room<std::uint32_t>(messages_of_an_owner);
        messages.products = room<std::byte>(messages_of_an_owner * bytes_);
      }
  } catch (const out_of_memory&) {  // one thread does without
    all_owners_.clear();
    buffers_.resize(others);
  }
}

// After a round that the calling thread has started.
void round_loop::note_edges(std::size_t edges) {
  usual_edges_ = (7 * usual_edges_ + edges) / 8;
  if (edges > parallel_edges) share_from_ = std::max(share_from_, rounds_ + rounds_before_sharing);
}

// Whether the next round is one of those that owners share.
bool round_loop::can_share() const {
  return !all_owners_.empty() && rounds_ >= share_from_ &&
         usual_edges_ >= round_sharing::of_process().edges(improving_) &&
         leaving_ <= parallel_edges;
}

bool round_loop::should_share() const {
  return can_share() && cost_.is_known() &&
         !round_sharing::of_process().rests(round_sharing::clock::now());
}

// Copies positions to the list of their owner in listed_rows_. Returns how many each has.
std::vector<std::size_t> round_loop::by_owner(const std::uint32_t* positions, std::size_t count) {
  std::vector<std::size_t> counts(owners_, 0);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t j = positions[k], n = owner_of(j);
    listed_rows_[n * owned_ + counts[n]++] = j;
  }
  return counts;
}

void round_loop::share_rounds(index_t max_rounds) {
  for (std::uint32_t n = 0; n < owners_; ++n) {
    owner& o = all_owners_[n];
    o.rows = rows_ + n * owned_;
    o.listed = listed_rows_ + n * owned_;
    if (waiting_ != nullptr) o.outside = waiting_ + n * owned_;
    o.values = values_ + n * owned_ * bytes_;
    o.edges = edges_;
    o.edges.u_indices = o.rows;
    if (improving_) o.edges.u = o.values;
    o.edges.few = true;
    o.edges.shared = false;
    o.edges.owner = n;
    o.edges.owners = owners_;
    o.slot = 0;
    o.should_stop = o.failed = o.has_looked = false;
    o.of_round = 0;
  }
  if (std::exchange(any_in_any_queue_, false))
    for (std::uint32_t n = 0; n < queues_.size(); ++n)
      queues_[n]->give_away(queues_, n, owners_, round_arguments::owned_block);
  const auto others_follow = [&] {
    for (std::size_t n = owners_; n < queues_.size(); ++n) queues_[n]->follow(*queues_.front());
  };
  others_follow();
  const std::vector<std::size_t> counts = by_owner(rows_, count_);
  for (std::uint32_t n = 0; n < owners_; ++n) {
    std::copy_n(listed_rows_ + n * owned_, counts[n], all_owners_[n].rows);
    all_owners_[n].count = counts[n];
    append_owned(all_owners_[n]);
  }
  round_sharing& rule = round_sharing::of_process();
  spinning_barrier barrier(owners_, rule.chosen().patience);
  bool started = false;
  std::atomic<bool> is_over{false};
  watch_ = {.start = round_sharing::clock::now()};
  // All threads of the context, though some own nothing: OpenMP would end the threads that a
  // smaller team has no use for.
#pragma omp parallel num_threads(threads_)
  {
    const auto n = static_cast<std::size_t>(omp_get_thread_num());
    const bool are_enough = static_cast<std::size_t>(omp_get_num_threads()) >= owners_;
    if (n < owners_ && are_enough) share_rounds(all_owners_[n], barrier, max_rounds);
    if (n == 0) {
      started = are_enough;
      is_over = true;
      is_over.notify_all();
    } else if (n >= owners_) {
      is_over.wait(false);  // sleeps; OpenMP's barrier may spin
    }
  }
  const auto now = round_sharing::clock::now();
  if (started) rule.note_loss(cost_.loss(now - watch_.start, watch_.units), now);
  others_follow();
  collect_frontier();
  if (!started) all_owners_.clear();
}

// What one thread does.
void round_loop::share_rounds(owner& o, spinning_barrier& barrier, index_t max_rounds) {
  const std::size_t too_few = round_sharing::of_process().edges(improving_) * 3 / 8;
  index_t rounds = rounds_, number = number_;
  std::size_t sent = sent_, unexplored = unexplored_, usual = usual_edges_;
  bool should_stop = false, has_started = false;  // a bucket, in which nothing was found
  for (;;) {
    o.next = o.first = o.listed_count = 0;
    statement all;
    do {
      const bool is_done = push_messages(o);
      all = exchange(o, barrier, is_done);
      should_stop = should_stop || all.should_stop;
    } while (!all.is_done);
    if (all.count == 0) {
      if (should_stop || all.failed || !all.waits || has_started) break;
      start_bucket(o);
      has_started = true;
      continue;
    }
    has_started = false;
    settle_owned(o, number++);
    ++rounds;
    sent += all.edges + all.count;
    unexplored -= std::min(unexplored, all.edges);
    usual = (7 * usual + all.edges) / 8;
    if (o.edges.owner == 0 && is_slow(all.edges + all.count)) o.should_stop = true;
    if (rounds >= max_rounds || sent >= edges_of_a_call || all.edges > parallel_edges ||
        usual < too_few || should_stop || all.failed || pays_to_pull(all.edges, unexplored))
      break;
  }
  if (o.edges.owner != 0) return;
  o.should_stop = o.should_stop || should_stop;
  rounds_ = rounds;
  sent_ = sent;
  unexplored_ = unexplored;
  usual_edges_ = usual;
}

// After a shared round, on the calling thread: whether one thread would not have been slower.
bool round_loop::is_slow(std::size_t units) {
  watch_.units += units;
  if (++watch_.rounds < rounds_of_a_watch) return false;
  const auto now = round_sharing::clock::now();
  if (cost_.loss(now - watch_.start, watch_.units) > round_sharing::clock::duration::zero())
    return true;
  watch_ = {.start = now};
  return false;
}

// Pushes what is left of the frontier. Returns false if there is no room for more messages.
bool round_loop::push_messages(owner& o) {
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  round_messages& messages = o.sent[o.slot].messages;
  messages.count = 0;
  o.edges.messages = &messages;
  while (o.next < o.count) {
    const std::size_t room = messages_of_an_owner - messages.count;
    std::uint32_t* const list = o.listed + o.listed_count;
    std::size_t end = o.next, edges = 0;
    while (o.first == 0 && end < o.count) {
      const std::size_t of_row = degree(o.rows[end]);
      if (edges + of_row > room) break;
      edges += of_row;
      ++end;
    }
    if (end > o.next) {
      o.listed_count += push(o.edges, o.next, end, 0, edges, list);
      o.next = end;
      continue;
    }
    // A row with more edges than there is room, in parts.
    if (messages.count > 0) return false;
    const std::size_t of_row = degree(o.rows[o.next]), last = std::min(of_row, o.first + room);
    o.listed_count += push(o.edges, o.next, o.next + 1, o.first, last, list);
    o.first = last;
    if (last < of_row) return false;
    o.first = 0;
    ++o.next;
  }
  return true;
}

// Says what this thread has done, waits for the others, and takes their messages. Returns the sums
// of all.
round_loop::statement round_loop::exchange(owner& o, spinning_barrier& barrier, bool is_done) {
  const auto take = improving_ ? kernels_.take_improving : kernels_.take_lacking;
  statement& said = o.sent[o.slot].said;
  said = {o.count, o.leaving, is_done, o.should_stop, o.failed, false};
  if (o.count == 0 && !o.failed && !queues_.empty()) {
    bucket_queue& queue = *queues_[o.edges.owner];
    said.waits = o.has_looked ? queue.look_again(o.slot) : queue.look(o.slot);
    o.has_looked = true;
  }
  o.should_stop = barrier.wait();
  statement all;
  for (owner& other : all_owners_) {
    const auto& [messages, s] = other.sent[o.slot];
    all.count += s.count;
    all.edges += s.edges;
    all.is_done = all.is_done && s.is_done;
    all.should_stop = all.should_stop || s.should_stop;
    all.failed = all.failed || s.failed;
    all.waits = all.waits || s.waits;
    if (&other != &o) o.listed_count = take(o.edges, messages, o.listed, o.listed_count);
  }
  o.slot ^= 1;
  return all;
}

// The positions that changed make the next frontier, or wait for their bucket.
void round_loop::settle_owned(owner& o, index_t number) {
  for (std::size_t n = 0; n < o.listed_count; ++n) {
    const std::uint32_t j = o.listed[n];
    listed_[j / 64] = 0;
    if (settled_ != nullptr) settled_[j / 64] |= std::uint64_t{1} << (j % 64);
    if (round_.values != nullptr)
      std::memcpy(round_.values + j * sizeof(index_t), &number, sizeof(index_t));
    if (improving_) o.of_round += round_.add(j);  // else mark_present does it for all
  }
  if (o.listed_count > 0) o.has_looked = false;
  if (queues_.empty()) {
    std::swap(o.rows, o.listed);
    o.edges.u_indices = o.rows;
    o.count = o.listed_count;
  } else {
    bucket_queue& queue = *queues_[o.edges.owner];
    o.count = queue.split(o.listed, o.listed_count, o.rows, o.outside);
    try {
      queue.add(o.outside, o.listed_count - o.count);
    } catch (const std::bad_alloc&) {
      o.failed = true;  // no exception leaves a parallel region
    }
  }
  append_owned(o);
}

void round_loop::start_bucket(owner& o) {
  o.count = 0;
  o.has_looked = false;
  try {
    bucket_queue& queue = *queues_[o.edges.owner];
    o.count = queue.start(queues_, o.slot ^ 1);
    queue.take(o.rows, o.values);
  } catch (const std::bad_alloc&) {
    o.failed = true;
  }
  append_owned(o);
}

// The values and edges of the owner's rows, for the next push.
void round_loop::append_owned(owner& o) {
  if (improving_) gather(o.values, w_.values, o.rows, o.count, bytes_);
  o.leaving = 0;
  for (std::size_t n = 0; n < o.count; ++n) {
    o.leaving += degree(o.rows[n]);
    TROPIC_DETAIL_PREFETCH(edges_.columns + edges_.offset(o.rows[n]));
  }
}

// The frontier of all owners as that of the calling thread.
void round_loop::collect_frontier() {
  std::size_t found = 0;
  bool failed = false;
  for (const owner& o : all_owners_) {  // their lists are in the order of owners
    std::memmove(listed_rows_ + found, o.rows, o.count * sizeof(std::uint32_t));
    found += o.count;
    round_.added += o.of_round;
    failed = failed || o.failed;
  }
  if (failed) throw std::bad_alloc{};
  leaving_ = 0;
  long_count_ = 0;
  count_ = found;
  append(listed_rows_, found, 0, false);
}

}  // namespace tropic::detail::on_cpu
