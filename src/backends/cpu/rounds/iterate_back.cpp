// SPDX-License-Identifier: Apache-2.0

// Steps of iterate_back in place. The parts of the later round are spread over a vector with flags,
// and the rows of the earlier one are summed: each by one thread in the order of its entries, so
// that results do not depend on the threads. A step costs the edges of the rows of the earlier
// round.

#include <algorithm>
#include <cstring>

#include <tropic/detail/cpu/kernels.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/elements.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/products/known_sums.hpp"
#include "backends/cpu/vectors/conversions.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

class rounds_back {
 public:
  static constexpr std::size_t parallel_edges = 1 << 13;   // and entries, worth a second thread
  static constexpr std::size_t edges_of_a_call = 1 << 24;  // between two looks at the cancel token
  // Edges of the rows that are summed for one of those that are sent instead: where fewer leave the
  // later round, one operation after the other pushes them.
  static constexpr std::size_t pull_factor = 8;

  /// `of_matrix`: the matrix and the semiring, bound.
  rounds_back(const memory_side& here, const reverse_iteration& asked,
              const cpu_kernel_table& kernels, const product_arguments& of_matrix, vector_base& x,
              workspace& part)
      : asked_(asked),
        kernels_(kernels),
        part_(part),
        positions_(here.read_as<std::uint32_t>(asked.order.positions)),
        w_(here.read_as<std::byte>(asked.w.values)),
        w_bytes_(asked.w.type->size),
        x_(here.write_as<std::byte>(x.values, access::modify)),
        x_bytes_(x.type->size),
        threads_(here.threads()),
        arguments_(of_matrix) {
    arguments_.u = part.values;
    arguments_.u_present = part.present;
  }

  /// Edges of the rows of a round's positions; at most that many where they are few.
  std::size_t edges_of(std::size_t round) const {
    const listed_positions rows = of_round(round);
    const std::size_t max_edges = rows.count * as_size(asked_.matrix.longest_row);
    if (max_edges <= parallel_edges) return max_edges;
    std::size_t edges = 0;
#pragma omp parallel for num_threads(threads_) \
    reduction(+ : edges) if (threads_ > 1 && rows.count > parallel_edges)
    for (std::size_t n = 0; n < rows.count; ++n) edges += degree(rows.at[n]);
    return edges;
  }

  /// From `round` to the one before, whose rows have `edges` entries.
  void run(std::size_t round, std::size_t edges) const {
    const listed_positions later = of_round(round), earlier = of_round(round - 1);
    for_batches(later.count, later.count,
                [&](std::size_t begin, std::size_t end) { give(later.at + begin, end - begin); });
    for_batches(earlier.count, edges,
                [&](std::size_t begin, std::size_t end) { take(earlier.at + begin, end - begin); });
    for_batches(later.count, later.count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) part_.present[later.at[n]] = 0;
    });
  }

 private:
  static constexpr std::size_t batch_size = 256;
  static constexpr std::size_t fetched_ahead = 8;  // rows
  static constexpr std::size_t widest = 64;        // bytes of a value, as scalar_bytes

  std::size_t degree(std::size_t row) const {
    return arguments_.offset(row + 1) - arguments_.offset(row);
  }

  template <class F>
  void for_batches(std::size_t count, std::size_t work, F&& body) const {
    const std::size_t batches = (count + batch_size - 1) / batch_size;
    if (threads_ == 1 || batches <= 1 || work <= parallel_edges) {
      for (std::size_t n = 0; n < batches; ++n)  // a team of one thread costs a system call
        body(n * batch_size, std::min(count, (n + 1) * batch_size));
      return;
    }
    for_blocks(threads_, batches,
               [&](std::size_t n) { body(n * batch_size, std::min(count, (n + 1) * batch_size)); });
  }

  struct listed_positions {
    const std::uint32_t* at;
    std::size_t count;
  };
  listed_positions of_round(std::size_t round) const {
    return {positions_ + asked_.order.starts[round], asked_.order.size_of(round)};
  }

  // Parts of positions of the later round.
  void give(const std::uint32_t* at, std::size_t count) const {
    alignas(64) std::byte of_w[batch_size * widest], old[batch_size * widest],
        parts[batch_size * widest];
    gather(of_w, w_, at, count, w_bytes_);
    gather(old, x_, at, count, x_bytes_);
    asked_.give({.z = parts, .x = of_w, .y = old, .count = count});
    scatter(part_.values, at, parts, count, asked_.give.z->size);
    for (std::size_t n = 0; n < count; ++n) part_.present[at[n]] = 1;
  }

  // Sums of rows of the earlier round, and what x takes of them.
  void take(const std::uint32_t* rows, std::size_t row_count) const {
    alignas(64) std::byte sums[batch_size * widest], of_w[batch_size * widest],
        next[batch_size * widest];
    std::uint32_t at[batch_size], entry[batch_size];
    const std::size_t count = kernels_.listed != nullptr
                                  ? kernels_.listed(arguments_, rows, row_count, sums, entry)
                                  : sum_pieces(rows, row_count, sums, entry);
    for (std::size_t n = 0; n < count; ++n) at[n] = rows[entry[n]];
    if (count == 0) return;
    gather(of_w, w_, at, count, w_bytes_);
    asked_.take({.z = next, .x = sums, .y = of_w, .count = count});
    scatter(x_, at, next, count, x_bytes_);
  }

  // cpu_kernel_table::pull_listed.
  std::size_t sum_pieces(const std::uint32_t* rows, std::size_t count, std::byte* sums,
                         std::uint32_t* indices) const {
    const std::size_t bytes = asked_.semiring.z().size;
    std::size_t found = 0;
    for (std::size_t n = 0; n < count; ++n) {
      if (n + fetched_ahead < count)
        TROPIC_DETAIL_PREFETCH(arguments_.columns + arguments_.offset(rows[n + fetched_ahead]));
      const std::size_t row = rows[n];
      indices[found] = static_cast<std::uint32_t>(n);
      found += kernels_.piece(arguments_, row, arguments_.offset(row), arguments_.offset(row + 1),
                              sums + found * bytes);
    }
    return found;
  }

  const reverse_iteration& asked_;
  const cpu_kernel_table& kernels_;
  workspace& part_;
  const std::uint32_t* const positions_;
  const std::byte* const w_;
  const std::size_t w_bytes_;
  std::byte* const x_;
  const std::size_t x_bytes_;
  const int threads_;
  product_arguments arguments_;
};

}  // namespace

std::size_t cpu_backend::iterate_back(vector_base& x, const reverse_iteration& i,
                                      std::size_t last) {
  if (i.semiring.cpu_kernels[0] == nullptr)
    if (const semiring_description* known = same_builtin(i.semiring)) {
      const reverse_iteration same{*known, i.matrix, i.w, i.order, i.give, i.take};
      return iterate_back(x, same, last);
    }
  if (i.matrix.nnz == 0) return 0;
  const memory_side here(context_, on_host_);
  hold_as(here, x, vector_storage::full);
  if (!memory_side::is_exclusive(x.values)) return 0;
  workspace_lease part(workspaces_, context_, as_size(x.size), i.give.z->size);
  product_arguments of_matrix;
  bind_matrix(of_matrix, i.semiring, i.matrix);
  const rounds_back rounds(here, i, kernels_of(i.semiring, false), of_matrix, x, *part);
  std::size_t done = 0, edges = 0, before = rounds.edges_of(last);
  for (std::size_t round = last; round > 0 && edges < rounds_back::edges_of_a_call; --round) {
    const std::size_t of_rows = rounds.edges_of(round - 1);
    if (of_rows > rounds_back::parallel_edges && of_rows / rounds_back::pull_factor > before) break;
    part.begin_marking();
    rounds.run(round, of_rows);
    part.all_cleared();
    before = of_rows;
    edges += of_rows;
    ++done;
  }
  return done;
}

}  // namespace tropic::detail
