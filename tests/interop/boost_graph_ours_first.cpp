// SPDX-License-Identifier: Apache-2.0

// Our header before those of Boost.Graph: algorithms that are included after it still take pointers
// as maps, and a compressed_sparse_row_graph that is declared after it can be borrowed.

#include <tropic/interop/boost_graph.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
// Last: after it, Boost's own algorithms take no pointers (boost::detail::get).
#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tropic/tropic.hpp>

namespace tropic::testing {
namespace {

TEST(BoostGraph, MayBeIncludedAfterOurHeader) {
  using weighted = boost::property<boost::edge_weight_t, double>;
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, weighted> g(
      3);
  boost::add_edge(0, 1, 2.0, g);
  boost::add_edge(1, 2, 3.0, g);
  std::vector<double> distance(3);
  boost::dijkstra_shortest_paths(g, 0, boost::distance_map(distance.data()));
  EXPECT_EQ(distance, (std::vector<double>{0, 2, 5}));
  const auto view = bgl::as_graph(bgl::copy(context::cpu(), g, get(boost::edge_weight, g)));
  boost::dijkstra_shortest_paths(view, 0U, boost::distance_map(distance.data()));
  EXPECT_EQ(distance, (std::vector<double>{0, 2, 5}));
}

TEST(BoostGraph, ACompressedGraphMayBeIncludedAfterOurHeader) {
  using compressed = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, float,
                                                        boost::no_property, std::uint32_t>;
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> ends{{0, 1}, {1, 2}};
  const std::vector<float> lengths{2, 3};
  const compressed g(boost::edges_are_sorted, ends.begin(), ends.end(), lengths.begin(), 3);
  const auto borrowed = bgl::borrow(context::cpu(), g);
  EXPECT_EQ(borrowed.get(1, 2), 3.0F);
  EXPECT_EQ(bgl::borrow_pattern(context::cpu(), g).nvals(), 2);
  EXPECT_EQ(bgl::copy(context::cpu(), g, get(boost::edge_bundle, g)).get(0, 1), 2.0F);
}

}  // namespace
}  // namespace tropic::testing
