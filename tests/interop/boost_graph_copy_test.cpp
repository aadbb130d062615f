// SPDX-License-Identifier: Apache-2.0

// Graphs of Boost.Graph of every kind as matrices; the algorithms of both libraries.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/adjacency_matrix.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/grid_graph.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/transform_value_property_map.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <list>
#include <numeric>
#include <set>

#include <tropic/io.hpp>

#include "interop/boost_graph_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using weight = boost::property<boost::edge_weight_t, double>;
template <class Out, class Vertices, class Directed>
using list_of = boost::adjacency_list<Out, Vertices, Directed,
                                      boost::property<boost::vertex_index_t, std::size_t>, weight>;
using directed_list =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, weight>;

// Vertices in the order of their indices.
template <class Graph>
auto numbered_vertices(Graph& g) {
  std::vector<bgl::vertex_of<Graph>> all(boost::vertices(g).first, boost::vertices(g).second);
  for (std::size_t k = 0; k < all.size(); ++k)
    if constexpr (!std::is_integral_v<bgl::vertex_of<Graph>>)
      put(boost::vertex_index, g, all[k], k);
  return all;
}

// The entries as edges; of an undirected graph those on and above the diagonal, with the mirrored
// ones in the result.
template <class Graph>
entry_map<double> fill(Graph& g, const matrix<double>& from) {
  const auto vertex = numbered_vertices(g);
  entry_map<double> expected;
  for (const auto& [at, value] : entries_of(from)) {
    const auto [i, j] = at;
    if (bgl::internal::undirected<Graph>) {
      if (i > j) continue;
      expected[{j, i}] = value;
    }
    expected[at] = value;
    boost::add_edge(vertex[static_cast<std::size_t>(i)], vertex[static_cast<std::size_t>(j)], value,
                    g);
  }
  return expected;
}

template <class Graph>
void is_copied(const matrix<double>& from) {
  Graph g(static_cast<std::size_t>(from.rows()));
  const entry_map<double> expected = fill(g, from);
  const matrix<double> m = bgl::copy(here(), g);
  EXPECT_EQ(m.rows(), from.rows());
  EXPECT_EQ(m.columns(), from.rows());
  EXPECT_EQ(entries_of(m), expected);
  EXPECT_EQ(m.is_symmetric(), bgl::internal::undirected<Graph>);

  const matrix<bool> pattern = bgl::copy_pattern(here(), g);
  EXPECT_TRUE(pattern.is_iso() || pattern.nvals() == 0);
  entry_map<bool> present;
  for (const auto& [at, value] : expected) present[at] = true;
  EXPECT_EQ(entries_of(pattern), present);

  // And back: the view of the copy is the graph, so that its copy is the same matrix.
  EXPECT_EQ(entries_of(bgl::copy(here(), bgl::as_graph(m))), expected);
  if (m.is_symmetric()) {
    EXPECT_EQ(entries_of(bgl::copy(here(), bgl::as_undirected_graph(m))), expected);
  }
}

TEST(BoostGraphCopy, OfEveryKind) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  using boost::bidirectionalS, boost::directedS, boost::listS, boost::setS, boost::undirectedS,
      boost::vecS;
  for (const int n : {1, 2, 17, 64})
    for (const int entries : {0, n, 5 * n}) {
      const auto from = random_matrix(random, n, entries);
      is_copied<directed_list>(from);
      is_copied<list_of<vecS, vecS, undirectedS>>(from);
      is_copied<list_of<setS, vecS, bidirectionalS>>(from);
      is_copied<list_of<listS, listS, directedS>>(from);
      is_copied<list_of<vecS, listS, undirectedS>>(from);
      is_copied<list_of<setS, boost::setS, bidirectionalS>>(from);
      is_copied<boost::adjacency_matrix<directedS, boost::no_property, weight>>(from);
      is_copied<boost::adjacency_matrix<undirectedS, boost::no_property, weight>>(from);
    }
  directed_list none;
  EXPECT_EQ(bgl::copy(here(), none).rows(), 0);
}

TEST(BoostGraphCopy, OfAGridAndOfListsOfNeighbours) {
  const boost::array<std::size_t, 2> sides{{3, 4}};
  const boost::grid_graph<2> grid(sides);
  const matrix<std::int64_t> m = bgl::copy_pattern<std::int64_t>(here(), grid);
  EXPECT_EQ(m.rows(), 12);
  EXPECT_EQ(m.nvals(), 2 * (2 * 4 + 3 * 3));
  for (const auto& [at, value] : entries_of(m)) {
    const auto [i, j] = at;
    EXPECT_EQ(std::abs(i % 3 - j % 3) + std::abs(i / 3 - j / 3), 1);
  }
  using grid_edge = boost::graph_traits<boost::grid_graph<2>>::edge_descriptor;
  const auto length = boost::make_function_property_map<grid_edge>(
      [&](const grid_edge& e) { return static_cast<float>(e.first[0] + 10 * e.second[1]); });
  EXPECT_EQ(bgl::copy(here(), grid, length).get(2, 5), std::optional(2 + 10.F));

  const std::vector<std::list<int>> neighbours{{2, 1}, {}, {0}};  // lists no edges
  EXPECT_EQ(entries_of(bgl::copy_pattern(here(), neighbours)),
            (entry_map<bool>{{{0, 1}, true}, {{0, 2}, true}, {{2, 0}, true}}));
}

TEST(BoostGraphCopy, CombinesParallelEdgesByTheRule) {
  const auto with = [](auto g, duplicates rule) {
    for (const double value : {4., 1., 9.}) boost::add_edge(0, 1, value, g);
    for (const double value : {3., 2.}) boost::add_edge(1, 1, value, g);
    return bgl::copy(here(), g, rule);
  };
  using undirected_list = list_of<boost::vecS, boost::vecS, boost::undirectedS>;
  for (const auto& [rule, between, loop] : {std::tuple(duplicates::sum, 14., 5.),
                                            {duplicates::minimum, 1., 2.},
                                            {duplicates::maximum, 9., 3.},
                                            {duplicates::first, 4., 3.},
                                            {duplicates::last, 9., 2.}}) {
    EXPECT_EQ(entries_of(with(directed_list(2), rule)),
              (entry_map<double>{{{0, 1}, between}, {{1, 1}, loop}}));
    EXPECT_EQ(entries_of(with(undirected_list(2), rule)),
              (entry_map<double>{{{0, 1}, between}, {{1, 0}, between}, {{1, 1}, loop}}));
  }
  undirected_list both_ways(2);
  for (const double value : {1., 1e17, -1e17}) {
    boost::add_edge(0, 1, value, both_ways);
    boost::add_edge(1, 0, value, both_ways);
  }
  const auto sum = bgl::copy(here(), both_ways, duplicates::sum);
  EXPECT_EQ(sum.get(0, 1), sum.get(1, 0)) << "summed in another order";

  EXPECT_EQ(message_of<usage_error>([&] { with(directed_list(2), duplicates::error); }),
            "matrix: a second entry at (0, 1)");
}

TEST(BoostGraphCopy, TakesTheMapsTypesAndAnotherOrder) {
  struct road {
    std::int32_t length = 0;
    bool open = true;
  };
  boost::adjacency_list<boost::vecS, boost::listS, boost::directedS, std::size_t, road> g;
  const auto a = boost::add_vertex(2, g), b = boost::add_vertex(0, g), c = boost::add_vertex(1, g);
  boost::add_edge(a, b, road{7, false}, g);
  boost::add_edge(b, c, road{5, true}, g);
  const auto index = boost::get(boost::vertex_bundle, g);
  EXPECT_EQ(
      entries_of(bgl::copy(here(), g, boost::get(&road::length, g), duplicates::error, index)),
      (entry_map<std::int32_t>{{{2, 0}, 7}, {{0, 1}, 5}}));
  EXPECT_EQ(entries_of(bgl::copy(here(), g, boost::get(&road::open, g), duplicates::error, index)),
            (entry_map<bool>{{{2, 0}, false}, {{0, 1}, true}}));
  const auto half = boost::make_transform_value_property_map(
      [](std::int32_t length) { return static_cast<float>(length) / 2; },
      boost::get(&road::length, g));
  EXPECT_EQ(entries_of(bgl::copy(here(), g, half, duplicates::error, index)),
            (entry_map<float>{{{2, 0}, 3.5F}, {{0, 1}, 2.5F}}));
  EXPECT_EQ(entries_of(bgl::copy_pattern<double>(here(), g, 2.5, index)),
            (entry_map<double>{{{2, 0}, 2.5}, {{0, 1}, 2.5}}));
}

TEST(BoostGraphCopy, RefusesIndicesThatDoNotNumberTheVertices) {
  using hung = list_of<boost::vecS, boost::listS, boost::directedS>;
  hung g(3);
  EXPECT_EQ(message_of<usage_error>([&] { bgl::copy(here(), g); }),
            "copy: vertex_index gives 0 to two vertices");
  auto v = boost::vertices(g).first;
  for (const std::size_t k : {0U, 1U, 3U}) put(boost::vertex_index, g, *v++, k);
  EXPECT_EQ(message_of<usage_error>([&] { bgl::copy(here(), g); }),
            "copy: vertex_index gives 3, the graph has 3 vertices");
  EXPECT_EQ(message_of<usage_error>([&] { bgl::copy_pattern(here(), g); }),
            "copy_pattern: vertex_index gives 3, the graph has 3 vertices");

  // A subgraph has gaps in its vertex numbers, which a map of the caller closes.
  directed_list whole(4);
  boost::add_edge(1, 3, 5, whole);
  boost::add_edge(0, 3, 6, whole);
  const auto odd = [](std::size_t u) { return u % 2 == 1; };
  const boost::filtered_graph part(whole, boost::keep_all(), std::function<bool(std::size_t)>(odd));
  EXPECT_NE(message_of<usage_error>([&] { bgl::copy(here(), part); }), "(no error)");
}

TEST(BoostGraphCopy, KeepsTheMemoryLimit) {
  const auto small = context::cpu({.memory_limit = 1000});
  directed_list g(1000);
  EXPECT_THROW(bgl::copy(small, g), out_of_memory);
  EXPECT_EQ(small.memory_used(), 0U);
}

// Distances and levels from one source by both libraries.
void searches_agree(const directed_list& g, std::size_t from) {
  const matrix<double> m = bgl::copy(here(), g, duplicates::minimum);
  std::vector<double> expected(num_vertices(g));
  boost::dijkstra_shortest_paths(g, from, boost::distance_map(expected.data()));
  const double unreached = std::numeric_limits<double>::max();

  std::vector<double> distance(num_vertices(g));
  std::vector<std::size_t> before(num_vertices(g));
  const auto paths = sssp(m, static_cast<index_t>(from));
  const auto map = boost::make_iterator_property_map(distance.begin(), get(boost::vertex_index, g));
  bgl::to_property_map(paths.distance, g, map, unreached);
  EXPECT_EQ(distance, expected);
  bgl::to_predecessor_map(paths.parent, g, before.data());
  for (std::size_t v = 0; v < before.size(); ++v) {
    if (v == from || distance[v] == unreached) {
      EXPECT_EQ(before[v], v);
    } else {
      ASSERT_EQ(distance[before[v]] +
                    m.get(static_cast<index_t>(before[v]), static_cast<index_t>(v)).value(),
                distance[v]);
    }
  }

  std::vector<index_t> levels(num_vertices(g), -1), found(num_vertices(g));
  levels[from] = 0;
  boost::breadth_first_search(g, from,
                              boost::visitor(boost::make_bfs_visitor(
                                  boost::record_distances(levels.data(), boost::on_tree_edge()))));
  bgl::to_property_map(bfs(m, static_cast<index_t>(from)).level, g, found.data(), -1);
  EXPECT_EQ(found, levels);
}

TEST(BoostGraphCopy, SearchesFindTheSameInRandomGraphs) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (int round = 0; round < 30; ++round) {
    const int n = 1 + random.roll(200);
    directed_list g(static_cast<std::size_t>(n));
    for (int e = random.roll(4 * n); e > 0; --e)
      boost::add_edge(static_cast<std::size_t>(random.roll(n)),
                      static_cast<std::size_t>(random.roll(n)), 1 + random.roll(50), g);
    searches_agree(g, static_cast<std::size_t>(random.roll(n)));
  }
}

TEST(BoostGraphCopy, SearchesFindTheSameInTheRoadsOfNewYork) {
  io::read_options options;
  options.type = type_code::fp64;
  const io::coordinates roads =
      io::read(std::string(TROPIC_DATA) + "/USA-road-d.NY.mtx.xz", options);
  std::vector<double> length(roads.values.size() / sizeof(double));
  std::memcpy(length.data(), roads.values.data(), roads.values.size());
  directed_list g(static_cast<std::size_t>(roads.rows));
  for (std::size_t e = 0; e < length.size(); ++e)
    boost::add_edge(roads.row[e], roads.column[e], length[e], g);
  ASSERT_EQ(num_edges(g), 730100U);
  searches_agree(g, 0);
}

}  // namespace
}  // namespace tropic::testing
