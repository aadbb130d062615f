// SPDX-License-Identifier: Apache-2.0
#pragma once

// Connected components: every vertex gets the smallest vertex of its component as its label. Edges
// count in both directions (weak components).
//
// label is a forest of stars: label(v) is the root of v's tree, label(root) = root. A round is
//
//   least(v) = min label(u) over the neighbours u of v          a product over (min, second)
//   label(label(v)) min= least(v) where least(v) < label(v)     hooking: a scatter with min
//   label(v) = label(label(v)) until nothing changes            shortcutting: a gather
//
// This is the algorithm of Shiloach and Vishkin ("An O(log n) parallel connectivity algorithm",
// Journal of Algorithms 3, 1982), with minima as in FastSV (Zhang, Azad and Hu, "FastSV", SIAM PP
// 2020, section 3); in contrast to FastSV only roots are hooked, so that trees are never divided.
//
// Labels at the end are the same whatever the order of hooking and shortcutting. So the CPU and
// devices need no products: they take edges one by one and change labels in place
// (src/backends/cpu/matrices/connect.cpp, src/backends/kernels/matrices/connect.kernel). The rounds
// are those of the reference, with which they are compared, and of devices with groups of fewer
// than 32 work-items.
//
// Invariants at the start of a round: label(label(v)) = label(v) <= v; vertices with one label are
// connected; a label is the smallest vertex of its tree, as roots are hooked to smaller ones only.
// Rounds: a root that is not hooked has only larger neighbours, and a tree with a smaller neighbour
// is hooked. In two rounds every root is hooked or receives a tree, so that the trees of a
// component are at least halved: at most 2 log2(n) + 2 rounds. Work O((vertices + edges) log
// vertices), by edges one by one O(vertices + edges) but for the shortcuts. Space: O(vertices), and
// for products the transpose of a matrix that is not known to be symmetric.

#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <tropic/algorithms/detail/graph_checks.hpp>
#include <tropic/algorithms/detail/scatter.hpp>
#include <tropic/apply.hpp>
#include <tropic/array_view.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/detail/connect.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/extract.hpp>
#include <tropic/matrix.hpp>
#include <tropic/product.hpp>
#include <tropic/reduce.hpp>
#include <tropic/semirings/semiring.hpp>
#include <tropic/vector.hpp>

namespace tropic {

struct components_result {
  vector<index_t> label;   // the smallest vertex of the component, for every vertex
  index_t components = 0;  // number of components
  index_t rounds = 0;      // number of rounds of products, the last in vain; 0 where the edges were
                           // taken one by one
};

namespace detail {
TROPIC_UNARY_OPERATOR(is_own_label, x == i);

/// The values on the host; on a device they are copied, and memory for that may be missing.
inline array_view<index_t> read_labels(const vector<index_t>& labels) try {
  return labels.to_array();
} catch (const out_of_memory& cause) {
  throw out_of_memory("components", cause);
}

/// label(v) = label(label(v)) until all trees are stars.
inline void shortcut(vector<index_t>& label) {
  vector<index_t> next(label.where(), label.size());
  vector<bool> moved(label.where(), label.size());
  for (bool again = true; again;) {
    extract(next, label, read_labels(label).data);
    ewise_multiply(moved, not_equal{}, next, label);
    again = reduce(or_monoid<bool>{}, moved);
    std::swap(next, label);
  }
}

/// Hooks the root of every vertex that has an entry in `least` to that entry, if it is smaller.
inline void hook(vector<index_t>& label, const vector<index_t>& least) {
  const auto [vertex, value] = least.to_sparse();
  vector<index_t> root(label.where(), static_cast<index_t>(vertex.size()));
  extract(root, label, vertex);
  scatter_minimum(label, read_labels(root), vector<index_t>::from_array(label.where(), value));
  shortcut(label);
}
}  // namespace detail

/// The weak components of a graph. An entry (i, j) of `graph` is an edge between i and j, whatever
/// its value; loops change nothing. For a matrix that is known to be symmetric
/// (matrix::assume_symmetric), half of the products are left out. Throws usage_error if the matrix
/// is not square; cancelled.
template <value_type T>
components_result connected_components(const matrix<T>& graph) {
  detail::check_square("connected_components", graph);
  const context where = graph.where();
  const index_t n = graph.rows();
  where.checkpoint("components");
  components_result found{vector<index_t>(where, n)};
  if (const std::optional<index_t> labels = detail::connect(found.label, graph)) {
    found.components = *labels;
    return found;
  }
  std::vector<index_t> initial_labels(static_cast<std::size_t>(n));
  std::iota(initial_labels.begin(), initial_labels.end(), index_t{0});
  components_result result{vector<index_t>::from_array(where, std::move(initial_labels))};
  vector<index_t>& label = result.label;

  vector<bool> chosen(where, n);
  vector<index_t> least(where, n), hooked(where, n);
  for (;; ++result.rounds) {
    where.checkpoint("components");
    mxv(least, min_second<index_t, T, index_t>{}, graph, label);
    if (!graph.is_symmetric())
      vxm(least, min_first<index_t, index_t, T>{}, label, graph, {.accumulate = minimum{}});
    ewise_multiply(chosen, less{}, least, label);
    assign(hooked, least, {.mask = chosen, .replace = true});
    if (hooked.nvals() == 0) break;
    detail::hook(label, hooked);
  }
  ++result.rounds;  // the product of the last one found nothing to hook
  vector<index_t> roots(where, n);
  select(roots, detail::is_own_label{}, label);
  result.components = roots.nvals();
  return result;
}

}  // namespace tropic
