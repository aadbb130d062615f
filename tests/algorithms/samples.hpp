// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small graphs with what algorithms can get wrong, on every context of the tests.

#include "oracle.hpp"

#include <random>
#include <utility>

namespace samples {

using namespace tropic;
using edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

using oracle::contexts;

/// Weights 1, 2, 3, 1, ... over the list, or 1 for bool.
template <class T = bool>
matrix<T> directed(const context& where, index_t n, const edges& list) {
  std::vector<std::uint32_t> from, to;
  std::vector<T> weight;
  for (const auto& [a, b] : list) {
    from.push_back(a);
    to.push_back(b);
    weight.push_back(static_cast<T>(1 + (weight.size() * !std::is_same_v<T, bool>) % 3));
  }
  return matrix<T>::from_entries(where, n, n, from, to, weight, duplicates::first);
}

template <class T = bool>
matrix<T> symmetric(const context& where, index_t n, const edges& list) {
  const matrix<T> one_way = directed<T>(where, n, list);
  matrix<T> reversed(where, n, n), both(where, n, n);
  transpose(reversed, one_way);
  ewise_add(both, maximum{}, one_way, reversed);
  both.assume_symmetric();
  return both;
}

inline edges path(std::uint32_t first, std::uint32_t end) {
  edges list;
  for (std::uint32_t v = first + 1; v < end; ++v) list.emplace_back(v - 1, v);
  return list;
}

inline edges clique(std::uint32_t first, std::uint32_t end) {
  edges list;
  for (std::uint32_t a = first; a < end; ++a)
    for (std::uint32_t b = first; b < a; ++b) list.emplace_back(a, b);
  return list;
}

inline edges grid_of(std::uint32_t side) {
  edges list;
  for (std::uint32_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) list.emplace_back(v, v + 1);
    if (v + side < side * side) list.emplace_back(v, v + side);
  }
  return list;
}

inline edges random_edges(std::uint32_t n, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  edges list;
  for (std::size_t e = 0; e < count; ++e) {
    const auto from = static_cast<std::uint32_t>(random() % n);
    list.emplace_back(from, static_cast<std::uint32_t>(random() % n));
  }
  return list;
}

struct named_graph {
  std::string name;
  index_t vertices;
  edges list;
};

/// Empty, loops, isolated vertices, stars, paths, cliques, a grid, random ones.
inline const std::vector<named_graph>& small_graphs() {
  static const std::vector<named_graph> all = [] {
    std::vector<named_graph> list{{"nothing", 0, {}},
                                  {"one vertex", 1, {}},
                                  {"a loop", 1, {{0, 0}}},
                                  {"isolated vertices", 5, {}},
                                  {"loops only", 4, {{1, 1}, {3, 3}}},
                                  {"two vertices", 2, {{0, 1}}}};
    list.push_back({"a path", 43, path(0, 40)});
    edges star;
    for (std::uint32_t v = 0; v < 50; ++v) star.emplace_back(20, v);  // with a loop
    list.push_back({"a star", 55, star});
    edges cliques = clique(0, 9);
    for (const auto& part : {clique(9, 16), edges{{3, 12}, {18, 18}, {20, 19}}})
      cliques.insert(cliques.end(), part.begin(), part.end());
    list.push_back({"cliques", 21, cliques});
    list.push_back({"a grid", 49, grid_of(7)});
    list.push_back({"a sparse random graph", 60, random_edges(60, 90, 3)});
    list.push_back({"a random graph", 40, random_edges(40, 250, 4)});
    list.push_back({"a dense random graph", 25, random_edges(25, 900, 5)});
    return list;
  }();
  return all;
}

/// Runs `f(graph)` on every small graph, directed and symmetric, on every context.
template <class T = bool, class F>
void on_small_graphs(const F& f) {
  for (const context& where : contexts())
    for (const named_graph& g : small_graphs()) {
      SCOPED_TRACE(std::string(where.name()) + ", " + g.name);
      f(directed<T>(where, g.vertices, g.list));
      SCOPED_TRACE("symmetric");
      f(symmetric<T>(where, g.vertices, g.list));
    }
}

/// Equal up to rounding, everywhere.
inline void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                        double relative = 1e-12) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t v = 0; v < found.size(); ++v)
    EXPECT_NEAR(found[v], expected[v], relative * (1 + std::abs(expected[v]))) << "vertex " << v;
}

}  // namespace samples
