// SPDX-License-Identifier: Apache-2.0

// A loop of rounds (round_loop.hpp): its vectors, and which round comes next.

#include "backends/cpu/rounds/round_loop.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/row_cuts.hpp"
#include "backends/cpu/vectors/conversions.hpp"

namespace tropic::detail::on_cpu {

namespace {

// Eight bits as flags of a byte each, the lowest first in memory.
std::uint64_t flags_of(std::uint64_t bits) {
  constexpr std::uint64_t low_bits = 0x0101010101010101, one_of_each = 0x8040201008040201;
  const std::uint64_t flags = (((bits * low_bits) & one_of_each) + 0x7f * low_bits) >> 7 & low_bits;
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t turned = 0;
    for (int k = 0; k < 8; ++k) turned |= (flags >> (8 * k) & 1) << (56 - 8 * k);
    return turned;
  }
  return flags;
}

}  // namespace

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
      kernels_(*asked.semiring.cpu_round_kernels),
      improving_(asked.improves != nullptr),
      size_(as_size(w.size)),
      words_((size_ + 63) / 64),
      bytes_(w.type->size),
      weight_bytes_(asked.matrix.iso ? 0 : asked.matrix.type->size),
      threads_(here.threads()),
      can_pull_(incoming != nullptr && kernels_.pull_lacking != nullptr && !improving_ &&
                asked.keep == nullptr),
      in_order_(!improving_ && kernels_.in_order),
      sorted_(in_order_ || asked.order != nullptr),
      w_(here, &w),
      beyond_(here, asked.beyond),
      round_(here, asked.round),
      sorter_(*here.context()),
      unexplored_(as_size(asked.matrix.nnz)) {
  make_owners();
  const std::size_t positions = owners_ * owned_;
  rows_ = room<std::uint32_t>(positions);
  listed_rows_ = room<std::uint32_t>(positions);
  values_ = room<std::byte>((improving_ ? positions : as_size(frontier.nvals)) * bytes_);
  long_rows_ = room<std::uint32_t>(unexplored_ / buffer_size + 1);
  listed_ = room<std::uint64_t>(words_);
  std::memset(listed_, 0, words_ * sizeof(std::uint64_t));
  const bool has_buckets = asked.bucket_width != nullptr;
  const std::size_t buffered = as_size(threads_) * buffer_stride;
  if (threads_ > 1 || has_buckets) buffers_of_threads_ = room<std::uint32_t>(buffered);
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
  if (in_order_ && threads_ > 1) cut_columns();
  if (!improving_) mark_settled();
  if (has_buckets) {
    waiting_ = room<std::uint32_t>(positions);
    if (improving_ && asked.round == nullptr)
      improved_of_threads_ = room<std::byte>(buffered * bytes_);
    for (std::size_t n = 0; n < std::max<std::size_t>(owners_, as_size(threads_)); ++n)
      queues_.push_back(make_bucket_queue(w.type->code, asked.bucket_width->data(), w_.values));
  }
  make_messages();
  start_from(frontier);
}

// Parts of the columns that are whole words of the sets, with about equal numbers of entries where
// the lengths of columns are known.
void round_loop::cut_columns() {
  const std::size_t parts = 4 * as_size(threads_);
  cuts_.resize(parts + 1);
  found_.resize(parts);
  for (std::size_t part = 1; part < parts; ++part) {
    const std::size_t weight = (size_ + as_size(asked_.matrix.nnz)) * part / parts;
    const std::size_t cut = can_pull_ ? row_at(incoming_, size_, weight) : size_ * part / parts;
    cuts_[part] = cut / 64 * 64;
  }
  cuts_[parts] = size_;
}

// The positions that w has, and the add's identity at those that it lacks, unless the first product
// is written there.
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
          else if (!in_order_)
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
    if (!queues_.empty()) {  // one that has been improved is in another bucket
      if (std::memcmp(from.value(n), w_.values + row * bytes_, bytes_) == 0)
        queues_[owner_of(row)]->add(&row, 1);
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

index_t round_loop::run(index_t first, index_t max_rounds) {
  while (rounds_ < max_rounds && sent_ < edges_of_a_call) {
    const auto start =
        all_owners_.empty() ? round_sharing::clock::time_point{} : round_sharing::clock::now();
    if (count_ == 0 && !queues_.empty()) start_bucket();
    if (count_ == 0) break;
    number_ = first + rounds_;
    if (rounds_ > 0 && pays_to_pull(leaving_, unexplored_)) {
      pull_rounds(max_rounds);
      continue;
    }
    if (should_share()) {
      share_rounds(max_rounds);
      continue;
    }
    const bool is_sample = can_share();
    const std::size_t units = leaving_ + count_;
    push_round();
    settle();
    append_to_order();
    ++rounds_;
    if (is_sample) cost_.add(round_sharing::clock::now() - start, units);
  }
  if (!improving_) mark_present();
  return rounds_;
}

// Where w never had an entry to improve: the flags of w and of `rounds`, once for all rounds.
void round_loop::mark_present() {
  std::size_t of_w = 0, of_round = 0;
#pragma omp parallel for num_threads(threads_) \
    reduction(+ : of_w, of_round) if (threads_ > 1 && size_ > parallel_flags)
  for (std::size_t word = 0; word < words_; ++word) {
    const std::size_t first = word * 64;
    std::uint64_t bits = settled_[word];
    if (size_ - first < 64)
      bits &= ~(~std::uint64_t{0} << (size_ - first));  // there is no position
    if (bits == 0) continue;
    for (std::size_t k = 0; k < 64 && first + k < size_; k += 8) {
      const std::size_t j = first + k, count = std::min<std::size_t>(8, size_ - j);
      const std::uint64_t now = flags_of(bits >> k & 0xff);
      std::uint64_t flags = 0;
      std::memcpy(&flags, w_.present + j, count);
      const std::uint64_t changed = now & ~flags;
      of_w += static_cast<std::size_t>(std::popcount(changed));
      std::memcpy(w_.present + j, &now, count);
      if (round_.present == nullptr) continue;
      flags = 0;
      std::memcpy(&flags, round_.present + j, count);
      of_round += static_cast<std::size_t>(std::popcount(changed & ~flags));
      flags |= changed;
      std::memcpy(round_.present + j, &flags, count);
    }
  }
  w_.added += of_w;
  round_.added += of_round;
}

// The positions that the round changed, which make the frontier now.
void round_loop::append_to_order() {
  if (asked_.order == nullptr || count_ == 0) return;
  ordered_rounds& order = *asked_.order;
  auto* const positions = here_.write_as<std::uint32_t>(order.positions, access::modify);
  std::copy(rows_, rows_ + count_, positions + order.starts.back());
  order.starts.push_back(order.starts.back() + count_);
}

vector_base round_loop::frontier() {
  std::vector<std::uint32_t> waiting;
  for (const auto& queue : queues_) {
    const std::vector<std::uint32_t> queued = queue->waiting();
    waiting.insert(waiting.end(), queued.begin(), queued.end());
  }
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
  sort_positions(indices, count);
  gather(values, w_.values, indices, count, bytes_);
  return left;
}

void round_loop::add_counts(const iteration& asked, vector_base& w) const {
  w.nvals += static_cast<index_t>(w_.added);
  if (asked.round != nullptr) asked.round->nvals += static_cast<index_t>(round_.added);
  if (asked.beyond != nullptr) asked.beyond->nvals += static_cast<index_t>(beyond_.added);
}

}  // namespace tropic::detail::on_cpu
