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
// Two ideas of Afforest (Sutton, Ben-Nun and Barak, "Optimizing parallel graph connectivity
// computation via subgraph sampling", IPDPS 2018, section IV) save most of the reads of edges:
//
// - The first round only looks at the first neighbour of every vertex, by a positional semiring.
// - If one tree then has a large part of the vertices, one product finds the vertices outside
//   that have a neighbour inside, and hooks their trees and this tree together. From then on no
//   edge of a vertex inside is read: the mask of every product excludes these vertices.
//
// Before the first round, a search from a vertex with many edges finds most of a large component
// (connected_components_search.hpp).
//
// Labels at the end are the same whatever the order of hooking and shortcutting. So the CPU and
// devices need no products: they take edges one by one and change labels in place
// (src/backends/cpu/connect.cpp, src/backends/kernels/matrices/connect.kernel). The rounds are
// those of the reference, with which they are compared.
//
// Invariants at the start of a round: label(label(v)) = label(v) <= v; vertices with one label are
// connected; a label is the smallest vertex of its tree, as roots are hooked to smaller ones only;
// an edge of a vertex that the mask excludes is inside one tree.
// Rounds: a root that is not hooked has only larger neighbours, and a tree with a smaller neighbour
// is hooked. In two rounds every root is hooked or receives a tree, so that the trees of a
// component are at least halved: at most 2 log2(n) + 2 rounds. Work O((vertices + edges) log
// vertices); O(vertices + edges) where the search finds the only large component. Space:
// O(vertices), and the transpose of a matrix that is not known to be symmetric.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <tropic/algorithms/connected_components_search.hpp>
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
  index_t rounds = 0;      // number of products over all vertices not excluded, the last in vain; 0
                           // where the edges were taken one by one
};

namespace detail {
TROPIC_UNARY_OPERATOR(is_own_label, x == i);

/// The values on the host; on a device they are copied, and memory for that may be missing.
inline array_view<index_t> read_labels(const vector<index_t>& labels) try {
  return labels.to_array();
} catch (const out_of_memory& cause) {
  throw out_of_memory("components", cause);
}

/// label(v) = label(label(v)) until all trees are stars. If `inner` is not null, only its positions
/// may have labels that are no roots.
inline void shortcut(vector<index_t>& label, const array_view<std::uint32_t>* inner = nullptr) {
  const context where = label.where();
  if (inner != nullptr) {
    const auto count = static_cast<index_t>(inner->size());
    vector<index_t> now(where, count), next(where, count);
    vector<bool> moved(where, count);
    extract(now, label, *inner);
    for (bool again = true; again;) {
      extract(next, label, read_labels(now).data);
      ewise_multiply(moved, not_equal{}, next, now);
      again = reduce(or_monoid<bool>{}, moved);
      if (again) assign(label, next, *inner);
      std::swap(next, now);
    }
    return;
  }
  vector<index_t> next(where, label.size());
  vector<bool> moved(where, label.size());
  for (bool again = true; again;) {
    extract(next, label, read_labels(label).data);
    ewise_multiply(moved, not_equal{}, next, label);
    again = reduce(or_monoid<bool>{}, moved);
    std::swap(next, label);
  }
}

/// Hooks the root of every vertex that has an entry in `least` to that entry, if it is smaller.
/// `inner` as in shortcut.
inline void hook(vector<index_t>& label, const vector<index_t>& least,
                 const array_view<std::uint32_t>* inner = nullptr) {
  const auto [vertex, value] = least.to_sparse();
  const auto count = static_cast<index_t>(vertex.size());
  vector<index_t> root(label.where(), count);
  extract(root, label, vertex);
  scatter_minimum(label, read_labels(root), vector<index_t>::from_array(label.where(), value));
  shortcut(label, inner);
}

/// The root of a tree with at least a quarter of a sample of the vertices, which is evenly spaced.
inline std::optional<index_t> large_tree(const vector<index_t>& label) {
  const array_view<index_t> labels = read_labels(label);
  const std::size_t count = std::min<std::size_t>(labels.size(), 1024);
  std::vector<index_t> sample(count);
  for (std::size_t n = 0; n < count; ++n) sample[n] = labels[n * labels.size() / count];
  std::sort(sample.begin(), sample.end());
  std::optional<index_t> root;
  std::size_t most = 0;
  for (auto from = sample.begin(); from != sample.end();) {
    const auto end = std::upper_bound(from, sample.end(), *from);
    const auto size = static_cast<std::size_t>(end - from);
    if (size > most) root = *from;
    most = std::max(most, size);
    from = end;
  }
  return 4 * most >= count ? root : std::nullopt;
}

/// w<!excluded> = the sum over the neighbours of every vertex, in both directions; `Semiring`
/// of a matrix and a vector, `Reverse` the same of a vector and a matrix.
template <class Semiring, class Reverse, value_type W, value_type T, value_type U, class Accumulate>
void over_neighbours(vector<W>& w, const matrix<T>& graph, const vector<U>& u,
                     const vector<bool>& excluded, const Accumulate& accumulate) {
  mxv(w, Semiring{}, graph, u, {.mask = complement(structure(excluded)), .replace = true});
  if (!graph.is_symmetric())
    vxm(w, Reverse{}, u, graph,
        {.mask = complement(structure(excluded)), .accumulate = accumulate});
}

/// The least label of the vertices inside.
inline index_t least_label(const vector<index_t>& label, const vector<bool>& inside) {
  vector<index_t> labels(label.where(), label.size());
  assign(labels, label, {.mask = structure(inside)});
  return reduce(minimum_monoid<index_t>{}, labels);
}

/// Hooks together the tree of `root`, whose vertices are the entries of `inside`, and the trees of
/// their neighbours outside.
template <value_type T>
void unite_with_neighbours(vector<index_t>& label, const matrix<T>& graph, index_t root,
                           const vector<bool>& inside) {
  const context where = label.where();
  vector<bool> touches(where, label.size());
  over_neighbours<any_pair<bool, T, bool>, any_pair<bool, bool, T>>(touches, graph, inside, inside,
                                                                    logical_or{});
  if (touches.nvals() == 0) return;
  touches.set(root, true);
  vector<index_t> roots(where, label.size());
  assign(roots, label, {.mask = structure(touches)});
  assign(roots, reduce(minimum_monoid<index_t>{}, roots), {.mask = structure(touches)});
  hook(label, roots);
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
  std::vector<index_t> own(static_cast<std::size_t>(n));
  std::iota(own.begin(), own.end(), index_t{0});
  components_result result{vector<index_t>::from_array(where, std::move(own))};
  vector<index_t>& label = result.label;

  vector<bool> chosen(where, n);
  vector<index_t> least(where, n), hooked(where, n);
  auto [inside, is_component] = detail::around_hub(graph);
  if (inside.nvals() > 0) {
    const index_t root = detail::least_label(label, inside);
    assign(label, root, {.mask = structure(inside)});
    if (!is_component) detail::unite_with_neighbours(label, graph, root, inside);
  }
  for (;; ++result.rounds) {
    where.checkpoint("components");
    // Where every label is the vertex itself, the first neighbour is the least.
    if (result.rounds == 0 && (is_component || inside.nvals() == 0))
      detail::over_neighbours<min_secondi<T, index_t>, min_secondi<index_t, T>>(least, graph, label,
                                                                                inside, minimum{});
    else
      detail::over_neighbours<min_second<index_t, T, index_t>, min_first<index_t, index_t, T>>(
          least, graph, label, inside, minimum{});
    ewise_multiply(chosen, less{}, least, label);
    assign(hooked, least, {.mask = chosen, .replace = true});
    if (hooked.nvals() == 0) break;
    // No edge joins a component and the vertices outside: where few are left, only theirs change.
    const bool few = is_component && 4 * least.nvals() < n;
    const auto left = few ? least.to_sparse().indices : array_view<std::uint32_t>{};
    detail::hook(label, hooked, few ? &left : nullptr);
    if (inside.nvals() > 0) continue;
    const std::optional<index_t> root = detail::large_tree(label);
    if (!root) continue;
    apply(chosen, bind_second(equal{}, *root), label);
    assign(inside, true, {.mask = chosen});
    detail::unite_with_neighbours(label, graph, *root, inside);
  }
  ++result.rounds;  // the product of the last one found nothing to hook
  vector<index_t> roots(where, n);
  select(roots, detail::is_own_label{}, label);
  result.components = roots.nvals();
  return result;
}

}  // namespace tropic
