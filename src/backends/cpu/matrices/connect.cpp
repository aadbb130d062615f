// SPDX-License-Identifier: Apache-2.0

// The trees of connected vertices, in place, by the algorithm of Rem (Dijkstra, "A Discipline of
// Programming", 1976, chapter 23; the fastest of many in Patwary, Blair and Manne, "Experiments on
// union-find algorithms for the disjoint-set data structure", SEA 2010; with atomic operations:
// Dhulipala, Hong and Shun, "ConnectIt", VLDB 2020). parent(v) <= v, so that the root of a tree is
// its smallest vertex, in whatever order edges come and however many threads there are.
//
// Where a vertex has many edges, two of each are taken first. Most vertices are in one tree then,
// found by a sample, and their other edges are not read: an edge of a symmetric matrix that leaves
// the tree is also one of the vertex outside (Sutton, Ben-Nun and Barak, "Optimizing parallel graph
// connectivity computation via subgraph sampling", IPDPS 2018).
//
// Work O(vertices + edges) in practice; a word a vertex besides the labels.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <utility>

#include <tropic/detail/cpu/kernel_arguments.hpp>

#include "backends/cpu/backend.hpp"
#include "backends/cpu/memory_side.hpp"
#include "backends/cpu/parallel.hpp"
#include "backends/cpu/vectors/conversions.hpp"
#include "containers/cancel_watch.hpp"
#include "containers/integers.hpp"

namespace tropic::detail {

namespace {

using namespace on_cpu;

constexpr std::size_t first_edges = 2;      // of each vertex, taken first
constexpr std::size_t rows_at_once = 4096;  // of one thread
constexpr std::size_t rows_ahead = 16;      // to fetch

// Threads may unite at the same time. A parent changes from x to a smaller y only in a step of
// unite that also connects x and y, so that vertices that were in one tree are in one at the end.
template <bool Shared>
class forest {
 public:
  explicit forest(std::uint32_t* parent) : parent_(parent) {}

  void fetch(std::size_t v) const { TROPIC_DETAIL_PREFETCH(parent_ + v); }
  std::uint32_t parent(std::size_t v) const {
    if constexpr (Shared)
      return std::atomic_ref(parent_[v]).load(std::memory_order_relaxed);
    else
      return parent_[v];
  }
  void unite(std::uint32_t u, std::uint32_t v) {
    std::uint32_t x = parent(u), y = parent(v);
    while (x != y) {
      if (x < y) {
        std::swap(x, y);
        std::swap(u, v);
      }
      if (replace_parent(u, x, y)) {
        if (u == x) return;  // it was a root
        u = x;               // its former parent is still to be united with v
      }
      x = parent(u);
      y = parent(v);
    }
  }
  // While none are united: makes the root of v its parent, and returns it.
  std::uint32_t make_star(std::size_t v) {
    std::uint32_t root = parent(v);
    for (std::uint32_t up = parent(root); up != root; up = parent(root)) root = up;
    if constexpr (Shared)
      std::atomic_ref(parent_[v]).store(root, std::memory_order_relaxed);
    else
      parent_[v] = root;
    return root;
  }

 private:
  bool replace_parent(std::size_t v, std::uint32_t from, std::uint32_t to) {
    if constexpr (Shared)
      return std::atomic_ref(parent_[v])
          .compare_exchange_strong(from, to, std::memory_order_relaxed);
    parent_[v] = to;
    return true;
  }

  std::uint32_t* parent_;
};

// body(row) for all rows. Throws cancelled.
template <class F>
void for_rows(cancel_watch& watch, int threads, std::size_t rows, F&& body) {
  for_blocks(threads, (rows + rows_at_once - 1) / rows_at_once, [&](std::size_t block) {
    if (watch.is_cancelled()) return;
    const std::size_t end = std::min(rows, (block + 1) * rows_at_once);
    for (std::size_t row = block * rows_at_once; row < end; ++row) body(row);
  });
  watch.check();
}

// The root that most of a sample have, which is evenly spaced. All trees are stars.
template <class Forest>
std::uint32_t largest_tree(const Forest& trees, std::size_t vertices) {
  std::array<std::uint32_t, 1024> sample;
  for (std::size_t n = 0; n < sample.size(); ++n)
    sample[n] = trees.parent(n * vertices / sample.size());
  std::sort(sample.begin(), sample.end());
  std::uint32_t root = sample.front();
  std::size_t max_count = 0;
  for (auto from = sample.begin(); from != sample.end();) {
    const auto end = std::upper_bound(from, sample.end(), *from);
    const auto count = static_cast<std::size_t>(end - from);
    if (count > max_count) root = *from;
    max_count = std::max(max_count, count);
    from = end;
  }
  return root;
}

// Unites all edges.
template <class Forest>
void unite_all(cancel_watch& watch, Forest& trees, const matrix_view& a, bool symmetric,
               int threads) {
  for_rows(watch, threads, a.rows, [&](std::size_t row) {
    const std::size_t end = a.offsets[row + 1];
    for (std::size_t e = a.offsets[row]; e < end; ++e) {
      if (symmetric && a.column[e] >= row) break;  // those are in another row, too
      trees.unite(static_cast<std::uint32_t>(row), a.column[e]);
    }
  });
}

// The same for a symmetric matrix with long rows.
template <class Forest>
void unite_by_sample(cancel_watch& watch, Forest& trees, const matrix_view& a, int threads) {
  const auto unite_row = [&](std::size_t row, std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e)
      trees.unite(static_cast<std::uint32_t>(row), a.column[e]);
  };
  for_rows(watch, threads, a.rows, [&](std::size_t row) {
    // Rows begin in cache lines of their own, and lead anywhere.
    if (row + 2 * rows_ahead < a.rows) {
      TROPIC_DETAIL_PREFETCH(a.column + a.offsets[row + 2 * rows_ahead]);
      const std::size_t ahead = a.offsets[row + rows_ahead];
      for (std::size_t e = ahead; e < std::min(ahead + first_edges, a.nnz); ++e)
        trees.fetch(a.column[e]);
    }
    const std::size_t begin = a.offsets[row];
    unite_row(row, begin, std::min(begin + first_edges, a.offsets[row + 1]));
  });
  for_rows(watch, threads, a.rows, [&](std::size_t v) { trees.make_star(v); });
  const std::uint32_t large = largest_tree(trees, a.rows);
  for_rows(watch, threads, a.rows, [&](std::size_t row) {
    if (trees.parent(row) != large)
      unite_row(row, a.offsets[row] + first_edges, a.offsets[row + 1]);
  });
}

// Returns the number of trees.
template <bool Shared>
std::size_t connect_rows(cancel_watch& watch, const matrix_view& a, bool symmetric, int threads,
                         std::uint32_t* parent, index_t* label) {
  for_chunks(threads, a.rows, [&](std::size_t begin, std::size_t end) {
    std::iota(parent + begin, parent + end, static_cast<std::uint32_t>(begin));
  });
  forest<Shared> trees(parent);
  if (symmetric && a.nnz / (2 * first_edges) > a.rows)
    unite_by_sample(watch, trees, a, threads);
  else
    unite_all(watch, trees, a, symmetric, threads);
  return sum_over_chunks(threads, a.rows, [&](std::size_t begin, std::size_t end) {
    std::size_t roots = 0;
    for (std::size_t v = begin; v < end; ++v) {
      const std::uint32_t root = trees.make_star(v);
      label[v] = root;
      roots += root == v;
    }
    return roots;
  });
}

}  // namespace

std::optional<index_t> cpu_backend::connect(vector_base& label, const matrix_base& a) {
  const memory_side here(context_, on_host_);
  const matrix_view view(here, a);
  vector_base result = shell(here, *label.type, label.size);
  result.storage = vector_storage::full;
  result.nvals = result.size;
  result.values = here.allocate(view.rows, sizeof(index_t));
  const buffer_pointer parents = here.allocate(view.rows, sizeof(std::uint32_t));
  auto* const parent = here.write_as<std::uint32_t>(parents);
  auto* const labels = here.write_as<index_t>(result.values);
  const int threads = here.threads();
  cancel_watch watch(here.context());
  const std::size_t roots =
      threads > 1 ? connect_rows<true>(watch, view, a.symmetric, threads, parent, labels)
                  : connect_rows<false>(watch, view, a.symmetric, 1, parent, labels);
  label = std::move(result);
  return static_cast<index_t>(roots);
}

}  // namespace tropic::detail
