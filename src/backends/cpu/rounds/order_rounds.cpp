// SPDX-License-Identifier: Apache-2.0

// The positions of a vector of rounds, sorted by round: a counting sort, whose parts of the
// positions a thread each counts and places.

#include <algorithm>
#include <limits>
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

}  // namespace

round_order cpu_backend::order_rounds(const vector_base& rounds, const vector_base& w) {
  constexpr std::size_t parallel_positions = 1 << 16;
  const memory_side here(context_, on_host_);
  vector_base dense = w;
  if (dense.storage == vector_storage::sparse) hold_as(here, dense, vector_storage::bitmap);
  const vector_view of_w(here, dense);
  const round_numbers numbers(here, rounds);
  const std::size_t count = numbers.count(),
                    most = count > parallel_positions ? as_size(here.threads()) : 1;
  const auto part_of = [count](std::size_t n, std::size_t parts) { return count / parts * n; };
  const auto end_of = [&](std::size_t n, std::size_t parts) {
    return n + 1 == parts ? count : part_of(n + 1, parts);
  };

  index_t least = std::numeric_limits<index_t>::max(),
          greatest = std::numeric_limits<index_t>::min();
  bool is_missing = false;
#pragma omp parallel for num_threads(static_cast<int>(most)) reduction(min : least) \
    reduction(max : greatest) reduction(|| : is_missing) if (most > 1)
  for (std::size_t n = 0; n < most; ++n)
    numbers.for_each(part_of(n, most), end_of(n, most), [&](std::uint32_t j, index_t number) {
      least = std::min(least, number);
      greatest = std::max(greatest, number);
      is_missing = is_missing || !of_w.has(j);
    });
  if (is_missing) refuse_missing_entries();

  round_order order;
  const std::size_t all = rounds_between(least, greatest, rounds.size);
  // A table for each part: on a long path they would be larger than the vector.
  const std::size_t parts = all * most <= count ? most : 1;
  std::vector<std::vector<std::uint64_t>> places(parts, std::vector<std::uint64_t>(all));
  order.starts.resize(all + 1);
  order.positions = here.allocate(as_size(rounds.nvals), sizeof(std::uint32_t));
  auto* const positions = here.write_as<std::uint32_t>(order.positions);
  const auto row = [least](index_t number) { return static_cast<std::size_t>(number - least); };
#pragma omp parallel for num_threads(static_cast<int>(parts)) if (parts > 1)
  for (std::size_t n = 0; n < parts; ++n)
    numbers.for_each(part_of(n, parts), end_of(n, parts),
                     [&](std::uint32_t, index_t number) { ++places[n][row(number)]; });
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < all; ++k) {
    order.starts[k] = sum;
    for (std::vector<std::uint64_t>& of_part : places) {
      const std::uint64_t next = sum + of_part[k];
      of_part[k] = sum;
      sum = next;
    }
  }
  order.starts[all] = sum;
#pragma omp parallel for num_threads(static_cast<int>(parts)) if (parts > 1)
  for (std::size_t n = 0; n < parts; ++n)
    numbers.for_each(part_of(n, parts), end_of(n, parts), [&](std::uint32_t j, index_t number) {
      positions[places[n][row(number)]++] = j;
    });
  return order;
}

}  // namespace tropic::detail
