// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small graphs of known shapes, and the contexts that algorithms are compared on.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <tropic/algorithms/relabelled/graph.hpp>

#include "oracle.hpp"

namespace small_graphs {

using oracle::contexts;
using tropic::context;
using tropic::index_t;
using tropic::matrix;

using edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using shapes = std::vector<std::pair<index_t, edges>>;  // numbers of vertices and edges

template <class T = bool>
matrix<T> directed(const context& where, index_t n, const edges& list) {
  std::vector<std::uint32_t> from, to;
  for (const auto& [a, b] : list) {
    from.push_back(a);
    to.push_back(b);
  }
  return matrix<T>::from_entries(where, n, n, from, to, std::vector<T>(from.size(), T(1)),
                                 tropic::duplicates::first);
}

template <class T = bool>
matrix<T> symmetric(const context& where, index_t n, edges list) {
  const std::size_t count = list.size();
  for (std::size_t e = 0; e < count; ++e) list.emplace_back(list[e].second, list[e].first);
  matrix<T> result = directed<T>(where, n, list);
  result.assume_symmetric();
  return result;
}

inline edges path(const std::vector<std::uint32_t>& order) {
  edges list;
  for (std::size_t n = 1; n < order.size(); ++n) list.emplace_back(order[n - 1], order[n]);
  return list;
}

inline edges random_edges(std::mt19937& random, index_t n, std::size_t count) {
  edges list;
  for (std::size_t e = 0; e < count; ++e) {
    const auto from = static_cast<std::uint32_t>(random() % static_cast<unsigned>(n));
    list.emplace_back(from, random() % static_cast<unsigned>(n));
  }
  return list;
}

/// Paths in several orders, stars, cliques, loops, isolated vertices, components of several sizes.
inline shapes all() {
  shapes all{{0, {}}, {1, {}}, {1, {{0, 0}}}, {5, {}}};
  std::vector<std::uint32_t> order(130);
  std::iota(order.begin(), order.end(), 0U);
  all.emplace_back(133, path(order));
  std::reverse(order.begin(), order.end());
  all.emplace_back(133, path(order));
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  all.emplace_back(133, path(order));
  for (const std::uint32_t centre : {0U, 40U, 79U}) {
    edges star;
    for (std::uint32_t v = 0; v < 80; ++v) star.emplace_back(centre, v);  // with a loop
    all.emplace_back(90, star);
  }
  edges cliques;
  for (std::uint32_t a = 0; a < 60; ++a)
    for (std::uint32_t b = 0; b < a; ++b)
      if (a % 4 == b % 4) cliques.emplace_back(a, b);
  all.emplace_back(60, cliques);
  // A large component whose smallest vertex is 50, and small ones at lower and higher numbers, some
  // of which touch it at its last vertices only.
  std::vector<std::uint32_t> large(200);
  std::iota(large.begin(), large.end(), 50U);
  edges mixed = path(large);
  for (const auto& part : {edges{{3, 9}, {9, 249}}, edges{{5, 7}}, edges{{260, 261}, {260, 20}},
                           edges{{270, 248}, {270, 30}, {30, 2}}})
    mixed.insert(mixed.end(), part.begin(), part.end());
  all.emplace_back(280, mixed);
  return all;
}

inline std::string trace(const context& where, index_t n, const edges& list) {
  return std::string(where.name()) + ", " + std::to_string(n) + " vertices, " +
         std::to_string(list.size()) + " edges";
}

/// check(graph) for every shape, with its edges in one direction and in both, on every context.
template <class Check>
void on_every_context(const shapes& graphs, const Check& check) {
  for (const context& where : contexts())
    for (const auto& [n, list] : graphs) {
      SCOPED_TRACE(trace(where, n, list));
      check(directed(where, n, list));
      check(symmetric(where, n, list));
    }
}

/// check(copy, graph) for every shape and copies of it with its vertices in random orders.
template <class Check>
void on_relabelled_copies(const shapes& graphs, const Check& check) {
  for (const context& where : {context::reference(), oracle::on_threads(2)})
    for (const auto& [n, list] : graphs)
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(trace(where, n, list) + ", order " + std::to_string(seed));
        const auto graph = directed(where, n, list);
        check(tropic::relabelled_graph<bool>(graph, tropic::permutation_kind::random_row, seed),
              graph);
      }
}

}  // namespace small_graphs
