// SPDX-License-Identifier: Apache-2.0

// A matrix as a graph of Boost.Graph: its concepts, its algorithms, what it rejects.

#include <boost/concept/assert.hpp>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>

#include <gtest/gtest.h>

#include <set>

#include "interop/boost_graph_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

using directed = bgl::graph_view<float>;
using undirected = bgl::graph_view<float, boost::undirectedS>;

template <class Graph>
void models_the_concepts() {
  using vertex = bgl::vertex_of<Graph>;
  using edge = typename boost::graph_traits<Graph>::edge_descriptor;
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyMatrixConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<Graph, edge, boost::edge_weight_t>));
  BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<Graph, vertex, boost::vertex_index_t>));
}

TEST(BoostGraphView, ModelsTheConcepts) {
  models_the_concepts<directed>();
  models_the_concepts<undirected>();
  models_the_concepts<bgl::graph_view<std::int64_t>>();
  models_the_concepts<bgl::graph_view<bool>>();
  BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<undirected>));
}

TEST(BoostGraphView, ListsEveryEntryInEveryWay) {
  for (const bool wide : {false, true}) {
    const auto m = wide ? with_wide_offsets(small_matrix()) : small_matrix();
    const auto g = bgl::as_graph(m);
    EXPECT_EQ(boost::num_vertices(g), 5U);
    EXPECT_EQ(num_edges(g), static_cast<std::uint64_t>(m.nvals()));
    std::map<std::pair<index_t, index_t>, float> by_edges, by_vertices;
    for (const auto e : boost::make_iterator_range(edges(g)))
      by_edges[{source(e, g), target(e, g)}] = get(boost::edge_weight, g, e);
    for (const auto u : boost::make_iterator_range(vertices(g))) {
      auto next = adjacent_vertices(u, g).first;
      for (const auto e : boost::make_iterator_range(out_edges(u, g))) {
        EXPECT_EQ(source(e, g), u);
        EXPECT_EQ(target(e, g), *next++);
        EXPECT_EQ(edge(u, target(e, g), g), std::pair(e, true));
        by_vertices[{u, target(e, g)}] = get(get(boost::edge_weight, g), e);
      }
      EXPECT_EQ(next, adjacent_vertices(u, g).second);
      EXPECT_EQ(out_edges(u, g).second - out_edges(u, g).first, out_degree(u, g));
    }
    EXPECT_EQ(by_edges, entries_of(m));
    EXPECT_EQ(by_vertices, entries_of(m));
    EXPECT_FALSE(edge(0, 4, g).second);
    EXPECT_EQ(adjacent_vertices(0, g).first, m.column_indices().data.data()) << "a copy was made";
  }
}

TEST(BoostGraphView, ListsAnUndirectedEdgeOnce) {
  const std::vector<std::uint32_t> row{0, 1, 0, 2, 1, 3}, column{1, 0, 2, 0, 1, 3};
  const std::vector<float> value{5, 5, 7, 7, 2, 3};
  const auto m = matrix<float>::from_entries(here(), 4, 4, row, column, value);
  const auto g = bgl::as_undirected_graph(m);
  EXPECT_EQ(num_edges(g), 4U);
  std::multiset<std::tuple<index_t, index_t, float>> found;
  std::set<undirected::edge_descriptor> distinct;
  for (const auto e : boost::make_iterator_range(edges(g))) {
    found.emplace(source(e, g), target(e, g), get(boost::edge_weight, g, e));
    distinct.insert(e);
  }
  const std::multiset<std::tuple<index_t, index_t, float>> expected{
      {0, 1, 5.F}, {0, 2, 7.F}, {1, 1, 2.F}, {3, 3, 3.F}};
  EXPECT_EQ(found, expected);
  for (const auto u : boost::make_iterator_range(vertices(g))) {
    EXPECT_EQ(in_degree(u, g), out_degree(u, g));
    auto in = in_edges(u, g).first;
    for (const auto e : boost::make_iterator_range(out_edges(u, g))) {
      EXPECT_TRUE(distinct.contains(e));
      EXPECT_EQ(e, *in);
      EXPECT_EQ(target(*in, g), u);
      EXPECT_EQ(source(*in, g), target(e, g));
      EXPECT_EQ(boost::hash<undirected::edge_descriptor>()(e),
                boost::hash<undirected::edge_descriptor>()(*in));
      ++in;
    }
  }
}

TEST(BoostGraphView, RunsTheLibrarysSearches) {
  SCOPED_TRACE(seed_trace());
  dice random(base_seed());
  for (int round = 0; round < 20; ++round) {
    const auto m = random_matrix(random, 60, 200);
    const auto g = bgl::as_graph(m);
    const auto source = static_cast<std::uint32_t>(random.roll(60));

    std::vector<double> distance(60, -1);
    std::vector<std::uint32_t> before(60);
    boost::dijkstra_shortest_paths(
        g, source,
        boost::distance_map(distance.data()).predecessor_map(before.data()).distance_inf(1e30));
    const auto ours = sssp(m, source);
    EXPECT_EQ(distance, ours.distance.dense(1e30));

    std::vector<index_t> level(60, -1);
    level[source] = 0;
    boost::breadth_first_search(g, source,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(level.data(), boost::on_tree_edge()))));
    EXPECT_EQ(level, bfs(m, source).level.dense(-1));

    boost::adjacency_list<> same(60);
    for (const auto e : boost::make_iterator_range(edges(g)))
      boost::add_edge(boost::source(e, g), boost::target(e, g), same);
    std::vector<int> component(60), expected(60);
    const auto at = [](std::vector<int>& of, const auto& graph) {
      return boost::make_iterator_property_map(of.begin(), get(boost::vertex_index, graph));
    };
    EXPECT_EQ(boost::strong_components(g, at(component, g)),
              boost::strong_components(same, at(expected, same)));
    EXPECT_EQ(component, expected);
  }
}

TEST(BoostGraphView, FindsComponentsAndSpanningTrees) {
  // Two squares with a diagonal each, and an isolated vertex.
  const std::vector<std::uint32_t> a{0, 1, 2, 3, 0, 4, 5, 6, 7, 4}, b{1, 2, 3, 0, 2, 5, 6, 7, 4, 6};
  std::vector<std::uint32_t> row = a, column = b;
  row.insert(row.end(), b.begin(), b.end());
  column.insert(column.end(), a.begin(), a.end());
  std::vector<float> value;
  for (int twice = 0; twice < 2; ++twice)
    for (int weight = 1; weight <= 10; ++weight) value.push_back(static_cast<float>(weight));
  const auto m = matrix<float>::from_entries(here(), 9, 9, row, column, value);
  const auto g = bgl::as_undirected_graph(m);
  std::vector<int> component(9);
  EXPECT_EQ(boost::connected_components(g, component.data()), 3);
  EXPECT_EQ(component, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2}));
  std::vector<undirected::edge_descriptor> tree;
  boost::kruskal_minimum_spanning_tree(g, std::back_inserter(tree));
  float total = 0;
  for (const auto& e : tree) total += get(boost::edge_weight, g, e);
  EXPECT_EQ(total, 1 + 2 + 3 + 6 + 7 + 8);
}

TEST(BoostGraphView, OfOneValueAndOfNothing) {
  const std::vector<std::uint32_t> row{0, 1, 2}, column{1, 2, 0};
  const auto m = matrix<std::int32_t>::from_pattern(here(), 3, 3, row, column, 4);
  const auto g = bgl::as_graph(m);
  for (const auto e : boost::make_iterator_range(edges(g)))
    EXPECT_EQ(get(boost::edge_weight, g, e), 4);
  std::vector<std::int32_t> distance(3);
  boost::dijkstra_shortest_paths(g, 0U, boost::distance_map(distance.data()));
  EXPECT_EQ(distance, (std::vector<std::int32_t>{0, 4, 8}));

  for (const index_t n : {0, 3}) {
    const auto none = bgl::as_undirected_graph(matrix<float>(here(), n, n));
    EXPECT_EQ(num_vertices(none), static_cast<std::uint32_t>(n));
    EXPECT_TRUE(edges(none).first == edges(none).second);
    std::vector<int> component(3);
    EXPECT_EQ(boost::connected_components(none, component.data()), n);
  }
}

TEST(BoostGraphView, OutlivesItsMatrixAndReadsFromADevice) {
  const auto make = [](const context& where) { return bgl::as_graph(small_matrix().to(where)); };
  for (const context& where : {here(), context::fake_device()}) {
    const auto g = make(where);
    EXPECT_EQ(entries_of(bgl::copy(here(), g)), entries_of(small_matrix()));
  }
}

TEST(BoostGraphView, OfAMovedFromMatrixHasNoVertices) {
  matrix<float> m = small_matrix();
  const matrix<float> gone = std::move(m);
  EXPECT_EQ(num_vertices(bgl::as_graph(m)), 0u);
  EXPECT_EQ(num_vertices(bgl::as_undirected_graph(m)), 0u);
  EXPECT_EQ(bgl::copy(here(), bgl::as_graph(m)).nvals(), 0);
}

TEST(BoostGraphView, SeesWhatWasSet) {
  matrix<float> m(here(), 3, 3);
  m.set(0, 2, 4);
  const auto g = bgl::as_graph(m);
  EXPECT_EQ(num_edges(g), 1u);
  m.set(1, 2, 5);
  EXPECT_EQ(num_edges(g), 1u);  // of the matrix before the change
  EXPECT_EQ(num_edges(bgl::as_graph(m)), 2u);
}

TEST(BoostGraphView, RefusesByName) {
  const matrix<float> wide(here(), 3, 4);
  matrix<float> vast(here(), 0, 0);  // only declared symmetric
  vast.base().rows = vast.base().columns = (index_t{1} << 32) - 1;
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_graph(vast); }),
            "as_graph: 4294967295 vertices, needed less than 4294967295");
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_graph(wide); }),
            "as_graph: a graph's matrix is square, this one is 3x4");
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_undirected_graph(wide); }),
            "as_undirected_graph: a graph's matrix is square, this one is 3x4");

  const std::vector<std::uint32_t> row{0, 1, 2}, column{1, 0, 0};
  const std::vector<float> value{1, 1, 1}, other{1, 2, 1};
  const auto one_sided = matrix<float>::from_entries(here(), 3, 3, row, column, value);
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_undirected_graph(one_sided); }),
            "as_undirected_graph: (2, 0) has no equal entry at (0, 2)");
  const auto transposed = matrix<float>::from_entries(here(), 3, 3, column, row, value);
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_undirected_graph(transposed); }),
            "as_undirected_graph: (0, 2) has no equal entry at (2, 0)");
  const std::vector<std::uint32_t> to{1, 0, 2};
  const auto unequal = matrix<float>::from_entries(here(), 3, 3, row, to, other);
  EXPECT_EQ(message_of<usage_error>([&] { bgl::as_undirected_graph(unequal); }),
            "as_undirected_graph: (0, 1) has no equal entry at (1, 0)");
  auto declared = one_sided;
  declared.assume_symmetric();  // then it is not checked
  EXPECT_EQ(num_vertices(bgl::as_undirected_graph(declared)), 3U);
}

}  // namespace
}  // namespace tropic::testing
