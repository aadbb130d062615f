// SPDX-License-Identifier: Apache-2.0

// Rounds that pull (round_loop.hpp), where w is never improved, many edges leave the frontier, and
// as long as it is large: a set of bits. The thresholds are those of Beamer, Asanovic and
// Patterson, "Direction-optimizing breadth-first search" (SC 2012), section 4.

#include <bit>

#include "backends/cpu/parallel.hpp"
#include "backends/cpu/rounds/round_loop.hpp"

namespace tropic::detail::on_cpu {

namespace {

constexpr std::size_t alpha = 15, beta = 18;  // of Beamer et al.
constexpr std::size_t alpha_in_order = 3;     // of sums that need all edges of a row

}  // namespace

bool round_loop::pays_to_pull(std::size_t leaving, std::size_t unexplored) const {
  return can_pull_ && leaving > unexplored / (in_order_ ? alpha_in_order : alpha);
}

void round_loop::pull_rounds(index_t max_rounds) {
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
    if (asked_.order != nullptr) {
      list_frontier();
      append_to_order();
    }
  } while (count_ > 0 && rounds_ < max_rounds && sent_ < edges_of_a_call &&
           (count_ >= before || count_ > size_ / beta));
  list_frontier();
}

void round_loop::pull_round() {
  constexpr std::size_t chunk = 64;  // words
  const std::size_t chunks = (words_ + chunk - 1) / chunk;
  count_ = sum_over_blocks(threads_, chunks, [&](std::size_t n) {
    return kernels_.pull_lacking(incoming_, n * chunk, std::min(words_, (n + 1) * chunk),
                                 next_bits_);
  });
}

void round_loop::settle_pulled() {
#pragma omp parallel for num_threads(threads_) if (threads_ > 1)
  for (std::size_t word = 0; word < words_; ++word) {
    const std::uint64_t changed = next_bits_[word];
    settled_[word] |= changed;
    if (round_.values == nullptr) continue;
    for (std::uint64_t left = changed; left != 0; left &= left - 1) {
      const std::size_t j = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      std::memcpy(round_.values + j * sizeof(index_t), &number_, sizeof(index_t));
    }
  }
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

}  // namespace tropic::detail::on_cpu
