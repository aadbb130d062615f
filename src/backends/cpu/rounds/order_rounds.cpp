// SPDX-License-Identifier: Apache-2.0

// The positions of a vector of rounds, sorted by round: a counting sort, whose parts of the
// positions a thread each counts and places.

#include <algorithm>
#include <new>
#include <vector>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/vectors/conversions.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

// The entries of a vector of round numbers.
class round_numbers {
 public:
  round_numbers(const memory_side& here, const vector_base& rounds)
      : entries_(here, rounds), numbers_(here.read_as<index_t>(rounds.values)) {}

  /// What parts are cut from: entries of a list, else positions.
  std::size_t count() const { return entries_.is_sparse() ? entries_.nvals : entries_.size; }

  /// visit(position, number) for the entries of [begin, end).
  template <class F>
  void for_each(std::size_t begin, std::size_t end, F&& visit) const {
    if (entries_.is_sparse()) {
      for (std::size_t n = begin; n < end; ++n) visit(entries_.indices[n], numbers_[n]);
      return;
    }
    for (std::size_t j = begin; j < end; ++j)
      if (entries_.has(j)) visit(static_cast<std::uint32_t>(j), numbers_[j]);
  }

 private:
  vector_view entries_;
  const index_t* numbers_;
};

// How many entries have each number, of those seen so far. Numbers are shifted to begin at 0.
struct number_counts {
  static std::uint64_t shifted(index_t number) {
    return static_cast<std::uint64_t>(number) ^ std::uint64_t{1} << 63;
  }

  std::uint64_t least = ~std::uint64_t{0}, greatest = 0, first = 0;
  std::vector<std::uint64_t> counts{};  // of `first` and on

  // `most`: numbers further apart are only compared.
  void add(std::uint64_t number, std::uint64_t most) {
    least = std::min(least, number);
    greatest = std::max(greatest, number);
    if (number - first < counts.size()) {
      ++counts[number - first];
      return;
    }
    if (greatest - least >= most) return;
    if (counts.empty()) first = number;
    if (number < first) {  // room for as many again
      const std::uint64_t more =
          std::min(std::max<std::uint64_t>(first - number, counts.size()), first);
      counts.insert(counts.begin(), more, 0);
      first -= more;
    } else if (number - first >= counts.size()) {
      counts.resize(std::max<std::uint64_t>(number - first + 1, 2 * counts.size()));
    }
    ++counts[number - first];
  }
  std::uint64_t of(std::uint64_t number) const {
    return number - first < counts.size() ? counts[number - first] : 0;
  }
};

}  // namespace

ordered_rounds cpu_backend::order_rounds(const vector_base& rounds) {
  constexpr std::size_t parallel_positions = 1 << 16;
  const memory_side here(context_, on_host_);
  const round_numbers numbers(here, rounds);
  const std::size_t count = numbers.count(),
                    parts = count > parallel_positions ? as_size(here.threads()) : 1;
  const auto begin_of = [&](std::size_t part) {
    return part == parts ? count : count / parts * part;
  };
  std::vector<number_counts> found(parts);
  bool failed = false;  // no exception leaves a parallel region
#pragma omp parallel for num_threads(static_cast<int>(parts)) reduction(|| : failed) if (parts > 1)
  for (std::size_t n = 0; n < parts; ++n) try {
      numbers.for_each(begin_of(n), begin_of(n + 1), [&](std::uint32_t, index_t number) {
        found[n].add(number_counts::shifted(number), static_cast<std::uint64_t>(rounds.size));
      });
    } catch (const std::bad_alloc&) {
      failed = true;
    }
  if (failed) throw std::bad_alloc{};
  number_counts all;
  for (const number_counts& of_part : found) {
    all.least = std::min(all.least, of_part.least);
    all.greatest = std::max(all.greatest, of_part.greatest);
  }

  ordered_rounds order{.context = rounds.context, .size = rounds.size};
  const auto number_of = [](std::uint64_t shifted) {
    return static_cast<index_t>(shifted ^ std::uint64_t{1} << 63);
  };
  order.starts.resize(rounds_between(number_of(all.least), number_of(all.greatest), rounds.size) +
                      1);
  order.positions = here.allocate(as_size(rounds.nvals), sizeof(std::uint32_t));
  auto* const positions = here.write_as<std::uint32_t>(order.positions);
  // Where each part places its next position of a round.
  std::vector<std::vector<std::uint64_t>> places(parts);
  for (auto& of_part : places) of_part.resize(order.rounds());
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < order.rounds(); ++k) {
    order.starts[k] = sum;
    for (std::size_t n = 0; n < parts; ++n) {
      places[n][k] = sum;
      sum += found[n].of(all.least + k);
    }
  }
  order.starts.back() = sum;
#pragma omp parallel for num_threads(static_cast<int>(parts)) if (parts > 1)
  for (std::size_t n = 0; n < parts; ++n)
    numbers.for_each(begin_of(n), begin_of(n + 1), [&](std::uint32_t j, index_t number) {
      positions[places[n][number_counts::shifted(number) - all.least]++] = j;
    });
  return order;
}

}  // namespace tropic::detail
