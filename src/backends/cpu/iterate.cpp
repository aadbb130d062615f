// SPDX-License-Identifier: Apache-2.0

// Rounds of iterate_until on the CPU, by the kernels of include/tropic/detail/cpu_rounds.hpp. The
// frontier is a list of positions in no order, and products are combined with w in place: a round
// costs the edges that leave its frontier and nothing for the other vertices. Small rounds stay on
// the calling thread.
//
// Where w is never improved, rounds with many edges pull as long as the frontier is large, a set of
// bits. The thresholds are those of Beamer, Asanovic and Patterson, "Direction-optimizing
// breadth-first search" (SC 2012), section 4.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include <tropic/detail/cpu_kernels.hpp>

#include "backends/cpu/bucket_queue.hpp"
#include "backends/cpu/conversions.hpp"
#include "backends/cpu/cpu_backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

constexpr std::size_t parallel_edges = 1 << 14;      // edges that are worth a second thread
constexpr std::size_t parallel_positions = 1 << 13;  // positions that are
constexpr std::size_t buffer_size = 1 << 13;         // positions that a thread lists by itself
constexpr std::size_t edges_of_a_call = 1 << 24;     // tens of milliseconds without a checkpoint
constexpr std::size_t alpha = 15, beta = 18;         // of Beamer et al.
constexpr std::size_t batch_size = 256;
// A kernel may write one position behind those that it lists; and no two threads share a cache
// line.
constexpr std::size_t buffer_stride = buffer_size + 16;

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

/// Adds to a sum that other threads may add to; returns what it was.
std::size_t add_to(std::size_t& sum, std::size_t more, bool shared) {
  if (shared) return std::atomic_ref<std::size_t>(sum).fetch_add(more, std::memory_order_relaxed);
  return std::exchange(sum, sum + more);
}

class round_loop {
 public:
  /// `incoming`: the matrix by columns, to pull; null where it is not at hand.
  round_loop(const memory_side& here, const iteration& asked, vector_base& w,
             const vector_base& frontier, const matrix_base* incoming);
  /// Returns the number of rounds.
  index_t run(index_t first, index_t most);
  /// The entries that the next round starts from.
  vector_base frontier();
  void add_counts(const iteration& asked, vector_base& w) const;
  /// Edges that the rounds looked at, about.
  index_t sent() const { return static_cast<index_t>(sent_); }

 private:
  template <class T>
  T* room(std::size_t count) {
    return here_.write_as<T>(buffers_.emplace_back(here_.allocate(count, sizeof(T))));
  }
  void bind(round_arguments& to, const matrix_base& m) const;
  void mark_settled();
  void start_from(const vector_base& frontier);
  void start_bucket();
  std::size_t degree(std::uint32_t row) const {
    return edges_.offset(row + std::size_t{1}) - edges_.offset(row);
  }

  void push_round();
  void push_together();
  void push_chunk(const round_arguments& edges, std::size_t begin, std::size_t end,
                  std::uint32_t* buffer, std::size_t& held);
  void hand_on(std::uint32_t* buffer, std::size_t& held);
  void settle();
  void settle_part(std::size_t begin, std::size_t end, bool shared);
  std::size_t keep(std::size_t begin, std::size_t end, std::uint32_t* kept, std::size_t& beyond);
  void append(const std::uint32_t* rows, std::size_t count, bool shared);

  // body(begin, end, shared) for batches of [0, count), by several threads where `shared`.
  template <class F>
  void for_batches(std::size_t count, F&& body) const {
    const std::size_t batches = (count + batch_size - 1) / batch_size;
    const bool shared = threads_ > 1 && count > parallel_positions;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 4) if (shared)
    for (std::size_t n = 0; n < batches; ++n)
      body(n * batch_size, std::min(count, (n + 1) * batch_size), shared);
  }

  bool should_pull() const;
  void pull_rounds(index_t limit);
  void pull_round();
  void settle_pulled();
  void list_frontier();

  const memory_side& here_;
  const iteration& asked_;
  const cpu_round_kernels& kernels_;
  const bool improving_;
  const std::size_t size_, words_, bytes_;
  const int threads_;
  const bool can_pull_;
  std::vector<buffer_pointer> buffers_;
  dense_output w_, beyond_, round_;
  round_arguments edges_, incoming_;

  std::uint32_t* rows_;         // the frontier
  std::byte* values_;           // of the frontier, where they are not those of w
  std::uint32_t* listed_rows_;  // positions that changed in this round
  std::uint32_t* long_rows_;    // entries of the frontier whose rows the threads share
  std::uint32_t* buffers_of_threads_ = nullptr;
  std::uint32_t* waiting_ = nullptr;  // positions that go to the queue after the round
  std::unique_ptr<bucket_queue> queue_;
  std::uint64_t *listed_, *settled_ = nullptr;  // sets, a bit a position
  std::uint64_t *frontier_bits_ = nullptr, *next_bits_ = nullptr;
  std::size_t waiting_count_ = 0;
  std::size_t count_ = 0;         // entries of the frontier
  std::size_t listed_count_ = 0;  // of listed_rows_
  std::size_t leaving_ = 0;       // edges that leave the frontier
  std::size_t unexplored_;        // edges that left no frontier yet
  std::size_t sent_ = 0;          // edges of all rounds
  std::atomic<std::size_t> tail_{0}, long_count_{0};
  index_t number_ = 0, rounds_ = 0;
};

void round_loop::bind(round_arguments& to, const matrix_base& m) const {
  to.semiring = &asked_.semiring;
  to.offsets = here_.read(m.offsets);
  to.wide = m.wide;
  to.columns = here_.read_as<std::uint32_t>(m.column_indices);
  to.a = here_.read(m.values);
  to.a_iso = m.iso;
  to.w = w_.values;
  to.settled = settled_;
  to.listed = listed_;
}

round_loop::round_loop(const memory_side& here, const iteration& asked, vector_base& w,
                       const vector_base& frontier, const matrix_base* incoming)
    : here_(here),
      asked_(asked),
      kernels_(asked.semiring.cpu_kernels->rounds),
      improving_(asked.improves != nullptr),
      size_(as_size(w.size)),
      words_((size_ + 63) / 64),
      bytes_(w.type->size),
      threads_(here.threads()),
      can_pull_(incoming != nullptr && kernels_.pull_lacking != nullptr && !improving_ &&
                asked.keep == nullptr),
      w_(here, &w),
      beyond_(here, asked.beyond),
      round_(here, asked.round),
      unexplored_(as_size(asked.matrix.nnz)) {
  rows_ = room<std::uint32_t>(size_);
  listed_rows_ = room<std::uint32_t>(size_ + 1);
  values_ = room<std::byte>((improving_ ? size_ : as_size(frontier.nvals)) * bytes_);
  long_rows_ = room<std::uint32_t>(unexplored_ / buffer_size + 1);
  listed_ = room<std::uint64_t>(words_);
  std::memset(listed_, 0, words_ * sizeof(std::uint64_t));
  if (threads_ > 1) buffers_of_threads_ = room<std::uint32_t>(as_size(threads_) * buffer_stride);
  if (!improving_) settled_ = room<std::uint64_t>(words_);
  if (can_pull_) {
    frontier_bits_ = room<std::uint64_t>(words_);
    next_bits_ = room<std::uint64_t>(words_);
    bind(incoming_, *incoming);
    incoming_.u = w_.values;
    incoming_.frontier = frontier_bits_;
  }
  bind(edges_, asked.matrix);
  edges_.u = values_;
  edges_.u_indices = rows_;
  if (!improving_) mark_settled();
  if (asked.bucket_width != nullptr) {
    waiting_ = room<std::uint32_t>(size_);
    queue_ = make_bucket_queue(w.type->code, asked.bucket_width->data(), w_.values);
  }
  start_from(frontier);
}

// The positions that w has, and the add's identity at those that it lacks.
void round_loop::mark_settled() {
  const std::byte* const identity =
      static_cast<const std::byte*>(asked_.semiring.add.identity.data());
  with_element_size(bytes_, [&]<std::size_t N>() {
    for_chunks(threads_, words_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t word = begin; word < end; ++word) {
        const std::size_t first = word * 64, last = std::min(size_, first + 64);
        std::uint64_t bits = last - first < 64 ? ~std::uint64_t{0} << (last - first) : 0;
        for (std::size_t j = first; j < last; ++j) {
          if (w_.present == nullptr || w_.present[j])
            bits |= std::uint64_t{1} << (j % 64);
          else
            copy_element<N>(w_.values, j, identity, 0, bytes_);
        }
        settled_[word] = bits;
      }
    });
  });
}

void round_loop::start_from(const vector_base& frontier) {
  const vector_view from(here_, frontier);
  for (std::size_t n = 0; n < (from.is_sparse() ? from.nvals : from.size); ++n) {
    if (!from.is_sparse() && !from.has(n)) continue;
    const auto row = from.is_sparse() ? from.indices[n] : static_cast<std::uint32_t>(n);
    if (queue_ != nullptr) {  // one that has been improved is in another bucket
      if (std::memcmp(from.value(n), w_.values + row * bytes_, bytes_) == 0) queue_->add(&row, 1);
      continue;
    }
    rows_[count_] = row;
    std::memcpy(values_ + count_ * bytes_, from.value(n), bytes_);
    const std::size_t edges = degree(row);
    leaving_ += edges;
    if (edges > buffer_size) long_rows_[long_count_++] = static_cast<std::uint32_t>(count_);
    ++count_;
  }
}

index_t round_loop::run(index_t first, index_t most) {
  while (rounds_ < most && sent_ < edges_of_a_call) {
    if (count_ == 0 && queue_ != nullptr) start_bucket();
    if (count_ == 0) break;
    number_ = first + rounds_;
    if (rounds_ > 0 && should_pull()) {
      pull_rounds(most);
      continue;
    }
    push_round();
    settle();
    ++rounds_;
  }
  return rounds_;
}

// --- push --------------------------------------------------------------------------------------

void round_loop::push_round() {
  sent_ += leaving_ + count_;
  unexplored_ -= std::min(unexplored_, leaving_);
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  edges_.shared = threads_ > 1 && leaving_ > parallel_edges;
  if (edges_.shared)
    push_together();
  else if (count_ == 1)
    listed_count_ = push(edges_, 0, 1, 0, degree(rows_[0]), listed_rows_);
  else
    listed_count_ = push(edges_, 0, count_, 0, 0, listed_rows_);
}

void round_loop::hand_on(std::uint32_t* buffer, std::size_t& held) {
  if (held == 0) return;
  const std::size_t at = tail_.fetch_add(held, std::memory_order_relaxed);
  std::memcpy(listed_rows_ + at, buffer, held * sizeof(std::uint32_t));
  held = 0;
}

// Entries [begin, end) of the frontier but those with long rows.
void round_loop::push_chunk(const round_arguments& edges, std::size_t begin, std::size_t end,
                            std::uint32_t* buffer, std::size_t& held) {
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  while (begin < end) {
    std::size_t fit = begin, sum = 0, last = 0;
    for (; fit < end && sum + (last = degree(rows_[fit])) <= buffer_size - held; ++fit) sum += last;
    if (fit > begin) {
      held += push(edges, begin, fit, 0, fit - begin == 1 ? sum : 0, buffer + held);
      begin = fit;
    } else if (last > buffer_size) {
      ++begin;
    } else {
      hand_on(buffer, held);
    }
  }
}

void round_loop::push_together() {
  const auto push = improving_ ? kernels_.push_improving : kernels_.push_lacking;
  constexpr std::size_t chunk = 64;
  const std::size_t chunks = (count_ + chunk - 1) / chunk, long_rows = long_count_;
  tail_ = 0;
  std::atomic<std::size_t> next_thread{0};
#pragma omp parallel num_threads(threads_)
  {
    std::uint32_t* const buffer = buffers_of_threads_ + next_thread++ * buffer_stride;
    std::size_t held = 0;
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t n = 0; n < chunks; ++n)
      push_chunk(edges_, n * chunk, std::min(count_, (n + 1) * chunk), buffer, held);
    for (std::size_t n = 0; n < long_rows; ++n) {
      const std::size_t row = long_rows_[n], edges = degree(rows_[row]);
#pragma omp for schedule(dynamic, 1) nowait
      for (std::size_t first = 0; first < edges; first += buffer_size) {
        hand_on(buffer, held);
        held = push(edges_, row, row + 1, first, std::min(edges, first + buffer_size), buffer);
      }
    }
    hand_on(buffer, held);
  }
  listed_count_ = tail_;
}

// --- after a push ------------------------------------------------------------------------------

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
  std::size_t of_w = 0, of_round = 0, of_beyond = 0;  // entries that were not there
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
    of_w += w_.add(j);
    if (round_.values != nullptr) {
      std::memcpy(round_.values + j * sizeof(index_t), &number_, sizeof(index_t));
      of_round += round_.add(j);
    }
  }
  const auto add = [shared](std::size_t& sum, std::size_t more) {
    return add_to(sum, more, shared);
  };
  const std::uint32_t* next = listed_rows_ + begin;
  std::size_t found = end - begin;
  if (queue_ != nullptr) {
    std::uint32_t outside[batch_size + 1];
    found = queue_->split(next, end - begin, kept, outside);
    const std::size_t rest = end - begin - found;
    std::memcpy(waiting_ + add(waiting_count_, rest), outside, rest * sizeof(std::uint32_t));
    next = kept;
  } else if (asked_.keep != nullptr) {
    found = keep(begin, end, kept, of_beyond);
    next = kept;
  }
  append(next, found, shared);
  add(w_.added, of_w);
  add(round_.added, of_round);
  add(beyond_.added, of_beyond);
}

// Adds positions to the frontier.
void round_loop::append(const std::uint32_t* rows, std::size_t count, bool shared) {
  const std::size_t at = add_to(count_, count, shared);
  std::memcpy(rows_ + at, rows, count * sizeof(std::uint32_t));
  if (improving_) gather(values_ + at * bytes_, w_.values, rows, count, bytes_);
  std::size_t edges = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t of_row = degree(rows[n]);
    edges += of_row;
    if (of_row > buffer_size)
      long_rows_[long_count_.fetch_add(1, std::memory_order_relaxed)] =
          static_cast<std::uint32_t>(at + n);
  }
  add_to(leaving_, edges, shared);
}

// The frontier of the lowest bucket that has one; empty where none has.
void round_loop::start_bucket() {
  leaving_ = 0;
  long_count_ = 0;
  const std::size_t found = queue_->next(listed_rows_, listed_);
  for_batches(found, [&](std::size_t begin, std::size_t end, bool shared) {
    append(listed_rows_ + begin, end - begin, shared);
  });
}

void round_loop::settle() {
  count_ = leaving_ = 0;
  long_count_ = 0;
  if (!improving_) {  // the frontier's values are those of w from now on
    edges_.by_position = true;
    edges_.u = w_.values;
  }
  for_batches(listed_count_, [&](std::size_t begin, std::size_t end, bool shared) {
    settle_part(begin, end, shared);
  });
  if (waiting_count_ > 0) queue_->add(waiting_, std::exchange(waiting_count_, 0));
}

// --- pull --------------------------------------------------------------------------------------

bool round_loop::should_pull() const {
  return can_pull_ && leaving_ > unexplored_ / alpha;
}

void round_loop::pull_rounds(index_t most) {
  std::memset(frontier_bits_, 0, words_ * sizeof(std::uint64_t));
  for (std::size_t n = 0; n < count_; ++n)
    frontier_bits_[rows_[n] / 64] |= std::uint64_t{1} << (rows_[n] % 64);
  std::size_t before = 0;
  do {
    before = count_;
    pull_round();
    settle_pulled();
    ++rounds_;
    ++number_;
    std::swap(frontier_bits_, next_bits_);
    incoming_.frontier = frontier_bits_;
    sent_ += size_;
  } while (count_ > 0 && rounds_ < most && sent_ < edges_of_a_call &&
           (count_ >= before || count_ > size_ / beta));
  list_frontier();
}

void round_loop::pull_round() {
  constexpr std::size_t chunk = 64;  // words
  const std::size_t chunks = (words_ + chunk - 1) / chunk;
  std::size_t found = 0;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1) \
    reduction(+ : found) if (threads_ > 1)
  for (std::size_t n = 0; n < chunks; ++n)
    found +=
        kernels_.pull_lacking(incoming_, n * chunk, std::min(words_, (n + 1) * chunk), next_bits_);
  count_ = found;
}

void round_loop::settle_pulled() {
  w_.added += count_;  // in pull rounds every position that changes had no entry
  std::size_t added = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : added) if (threads_ > 1)
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t changed = next_bits_[word];
    settled_[word] |= changed;
    for (std::uint64_t left = changed; left != 0; left &= left - 1) {
      const std::size_t j = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      w_.add(j);
      if (round_.values == nullptr) continue;
      std::memcpy(round_.values + j * sizeof(index_t), &number_, sizeof(index_t));
      added += round_.add(j);
    }
  }
  round_.added += added;
}

// The frontier's bits as a list.
void round_loop::list_frontier() {
  count_ = leaving_ = 0;
  long_count_ = 0;
  for (std::size_t word = 0; word < words_; ++word)
    for (std::uint64_t left = frontier_bits_[word]; left != 0; left &= left - 1) {
      const std::size_t j = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      const std::size_t edges = degree(static_cast<std::uint32_t>(j));
      leaving_ += edges;
      if (edges > buffer_size) long_rows_[long_count_++] = static_cast<std::uint32_t>(count_);
      rows_[count_++] = static_cast<std::uint32_t>(j);
    }
}

// --- what is left ------------------------------------------------------------------------------

vector_base round_loop::frontier() {
  std::vector<std::uint32_t> waiting;
  if (queue_ != nullptr) waiting = queue_->waiting(listed_);
  const std::size_t count = count_ + waiting.size();
  vector_base left =
      empty_vector(here_.context(), asked_.semiring.z(), static_cast<index_t>(size_));
  if (count == 0) return left;
  left.nvals = static_cast<index_t>(count);
  left.indices = here_.allocate(count, sizeof(std::uint32_t));
  left.values = here_.allocate(count, bytes_);
  auto* const indices = here_.write_as<std::uint32_t>(left.indices);
  auto* const values = here_.write_as<std::byte>(left.values);
  std::copy(waiting.begin(), waiting.end(), std::copy(rows_, rows_ + count_, indices));
  std::sort(indices, indices + count);
  gather(values, w_.values, indices, count, bytes_);
  return left;
}

void round_loop::add_counts(const iteration& asked, vector_base& w) const {
  w.nvals += static_cast<index_t>(w_.added);
  if (asked.round != nullptr) asked.round->nvals += static_cast<index_t>(round_.added);
  if (asked.beyond != nullptr) asked.beyond->nvals += static_cast<index_t>(beyond_.added);
}

}  // namespace

namespace on_cpu {
std::unique_ptr<bucket_queue> make_bucket_queue(type_code type, const void* width, const void* w) {
  return with_builtin_type(type, [&]<class T>() -> std::unique_ptr<bucket_queue> {
    if constexpr (std::is_same_v<T, bool>) {
      return nullptr;
    } else {
      T of_type;
      std::memcpy(&of_type, width, sizeof(T));
      return std::make_unique<bucket_queue_of<T>>(of_type, static_cast<const T*>(w));
    }
  });
}
}  // namespace on_cpu

namespace {

// Whether single entries of v can be written where they are: it is full, or a bitmap, of its own.
bool can_write(const memory_side& here, vector_base& v) {
  if (v.storage == vector_storage::sparse) hold_as(here, v, vector_storage::bitmap);
  return memory_side::is_exclusive(v.values) &&
         (v.storage == vector_storage::full || memory_side::is_exclusive(v.present));
}

// Whether the matrix by columns is at hand, or pushes for want of it have cost what it costs.
bool pays_to_pull(const matrix_base& a) {
  constexpr index_t cost = 3;  // in pushes of all entries
  const std::lock_guard lock(a.derived->mutex);
  return a.derived->transpose != nullptr || a.derived->pushed_without_transpose > cost * a.nnz;
}

}  // namespace

index_t cpu_backend::iterate(vector_base& w, vector_base& frontier, const iteration& i,
                             index_t first, index_t most) {
  if (i.semiring.cpu_kernels == nullptr || i.matrix.nnz == 0 ||
      is_hypersparse(i.matrix.rows, i.matrix.nnz, w.size))
    return 0;
  const cpu_round_kernels& kernels = i.semiring.cpu_kernels->rounds;
  const bool improving = i.improves != nullptr;
  if (improving ? kernels.push_improving == nullptr || i.improves->text != kernels.improves ||
                      w.storage != vector_storage::full
                : kernels.push_lacking == nullptr || w.storage == vector_storage::full)
    return 0;
  const memory_side here(context_, on_host_);
  if (!can_write(here, w)) return 0;
  for (vector_base* other : {i.beyond, i.round})
    if (other != nullptr && !can_write(here, *other)) return 0;
  const matrix_base& a = i.matrix;
  std::shared_ptr<const matrix_base> by_columns;
  if (!improving && !a.symmetric && pays_to_pull(a)) by_columns = transpose_of(a);
  round_loop loop(here, i, w, frontier, a.symmetric ? &a : by_columns.get());
  const index_t done = loop.run(first, most);
  if (!improving && !a.symmetric && by_columns == nullptr) {
    const std::lock_guard lock(a.derived->mutex);
    a.derived->pushed_without_transpose += loop.sent();
  }
  loop.add_counts(i, w);
  frontier = loop.frontier();
  return done;
}

}  // namespace tropic::detail
