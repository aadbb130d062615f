// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shortest paths with negative weights: Bellman-Ford over labels (distance, parent), from the
// vertices that changed in the previous round. The recorded parents contain a cycle if and only if
// a cycle of negative weight is reachable (Cherkassky and Goldberg, "Negative-cycle detection
// algorithms", Math. Programming 1999, section 3). They are searched for one after 64, 128, ...
// rounds, so that a negative cycle ends the search long before its last round.
//
// On a relabelled graph, labels carry the original numbers of vertices: before a product, every
// label of the frontier gets the original number of its own vertex. Ties between parents are
// therefore resolved as on the original graph, in every round.
//
// A clamped sum that is extended by a negative edge can close a cycle of parents that is not
// negative, so the weights of a cycle are added up before it is reported.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tropic/algorithms/sssp_labels.hpp>
#include <tropic/algorithms/sssp_result.hpp>
#include <tropic/apply.hpp>
#include <tropic/assign.hpp>
#include <tropic/context.hpp>
#include <tropic/error.hpp>
#include <tropic/ewise.hpp>
#include <tropic/matrix.hpp>
#include <tropic/permutation.hpp>
#include <tropic/permute.hpp>
#include <tropic/product.hpp>
#include <tropic/semirings/arithmetic.hpp>
#include <tropic/vector.hpp>

namespace tropic {

namespace detail {

/// A vertex on a cycle of parents, or -1. O(vertices).
inline index_t vertex_on_cycle(const std::vector<index_t>& parent, index_t source) {
  const std::size_t n = parent.size();
  std::vector<index_t> seen_from(n, -1);
  for (std::size_t start = 0; start < n; ++start) {
    auto at = static_cast<index_t>(start);
    while (at >= 0 && seen_from[static_cast<std::size_t>(at)] < 0) {
      seen_from[static_cast<std::size_t>(at)] = static_cast<index_t>(start);
      const index_t up = parent[static_cast<std::size_t>(at)];
      if (up == at && at == source) break;  // the root
      at = up;
    }
    if (at >= 0 && seen_from[static_cast<std::size_t>(at)] == static_cast<index_t>(start) &&
        !(at == source && parent[static_cast<std::size_t>(at)] == source))
      return at;
  }
  return -1;
}

/// The numbers that labels and messages use for vertices: positions in the matrix, or, for a
/// relabelled graph, the original numbers.
class vertex_numbers {
 public:
  vertex_numbers(const context& where, const permutation* order) : order_(order) {
    if (order == nullptr) return;
    const auto numbers = std::make_shared<std::vector<index_t>>(order->old_positions().begin(),
                                                                order->old_positions().end());
    numbers_.emplace(vector<index_t>::from_array(where, {*numbers, numbers}));
  }
  index_t place(index_t number) const {
    return order_ == nullptr ? number : order_->new_position(number);
  }
  /// The best label of every neighbour of the frontier, with its parent's number.
  template <class D, value_type T>
  vector<label<D>> offers(const vector<label<D>>& frontier, const matrix<T>& graph) const {
    vector<label<D>> request(graph.where(), graph.rows());
    if (!numbers_) {
      vxm(request, label_semiring<D, T>{}, frontier, graph);
      return request;
    }
    vector<label<D>> announced(graph.where(), graph.rows());
    ewise_multiply(announced, announce_label{}, frontier, *numbers_);
    vxm(request, announced_label_semiring<D, T>{}, announced, graph);
    return request;
  }
  /// Parents in these numbers, at positions in these numbers.
  template <value_type Label>
  vector<index_t> parents(const vector<Label>& best) const {
    vector<index_t> parent(best.where(), best.size());
    apply(parent, label_parent{}, best);
    return order_ == nullptr ? parent : permute(parent, order_->inverse());
  }

 private:
  const permutation* order_;
  std::optional<vector<index_t>> numbers_;
};

/// Whether the edges of the cycle of parents through `vertex` add up to less than zero.
template <value_type T>
bool is_negative_cycle(const matrix<T>& graph, const vertex_numbers& numbers,
                       const std::vector<index_t>& parent, index_t vertex) {
  if constexpr (std::is_floating_point_v<T>) {
    return true;  // by the rounded sums of the search
  } else {
    // In two halves of 32 bits, which cannot overflow: there are at most 2^32 edges of 64 bits.
    std::int64_t high = 0;
    std::uint64_t low = 0;
    index_t at = vertex;
    do {
      const index_t up = parent[static_cast<std::size_t>(at)];
      const auto weight =
          static_cast<std::int64_t>(*graph.get(numbers.place(up), numbers.place(at)));
      high += weight >> 32;
      low += static_cast<std::uint64_t>(weight) & 0xffffffffu;
      at = up;
    } while (at != vertex);
    return high + static_cast<std::int64_t>(low >> 32) < 0;
  }
}

/// With an order, `graph` is a relabelled copy: `source` and the values of parents are original
/// numbers, positions are those of the copy. Sums are clamped.
template <value_type D, value_type T>
sssp_result<D> bellman_ford(const matrix<T>& graph, index_t source, bool parents,
                            const permutation* order = nullptr) {
  const context where = graph.where();
  const index_t n = graph.rows();
  using L = label<D>;
  const vertex_numbers numbers(where, order);
  const index_t start = numbers.place(source);
  vector<L> best(where, n);
  best.expect_dense();
  best.set(start, L{D{}, source});
  vector<L> frontier(where, n);
  frontier.set(start, L{D{}, source});
  sssp_result<D> result{vector<D>(where, n), vector<index_t>(where, n)};
  for (index_t check = 64; frontier.nvals() > 0; ++result.steps) {
    where.checkpoint("sssp: Bellman-Ford");
    const vector<L> request = numbers.offers<D>(frontier, graph);
    vector<L> improved(where, n);
    // Better than before, or the first label of the vertex.
    vector<bool> better(where, n);
    ewise_multiply(better, label_improves{}, request, best);
    assign(improved, request, {.mask = better});
    assign(improved, request, {.mask = complement(structure(best)), .accumulate = nearer_label{}});
    assign(best, improved, {.mask = structure(improved)});
    frontier = std::move(improved);
    if (result.steps + 1 == check || frontier.nvals() == 0) {
      check *= 2;
      const vector<index_t> parent = numbers.parents(best);
      // A self loop at the source would look like the root of the parents.
      if (parent.get(source) == source && best.get(start)->distance < D{})
        throw negative_cycle(source);
      const std::vector<index_t> parents_of_all = parent.dense(-1);
      const index_t vertex = vertex_on_cycle(parents_of_all, source);
      if (vertex < 0) continue;
      if (is_negative_cycle(graph, numbers, parents_of_all, vertex)) throw negative_cycle(vertex);
      throw usage_error("sssp: " + std::string(describe<D>().name) +
                        " distances do not hold the sums of these weights, some of which are "
                        "negative; expected a wider type of distances");
    }
  }
  // An edge of infinite weight is no path.
  vector<D> all(where, n);
  apply(all, label_distance{}, best);
  select(result.distance, bind_second(not_equal{}, arithmetic::largest<D>()), all);
  if (parents) apply(result.parent, label_parent{}, best, {.mask = structure(result.distance)});
  return result;
}

}  // namespace detail
}  // namespace tropic
