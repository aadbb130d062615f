// SPDX-License-Identifier: Apache-2.0

// Vectors as property maps and back.

#include <boost/graph/adjacency_list.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/vector_property_map.hpp>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "interop/boost_graph_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

struct place {
  std::size_t number = 0;
  double height = 0;
  bool open = false;
};
using hung = boost::adjacency_list<boost::listS, boost::listS, boost::directedS, place>;

// Vertices numbered against the order in which they are listed.
hung five_places() {
  hung g(5);
  std::size_t k = 5;
  for (auto [v, end] = vertices(g); v != end; ++v) g[*v].number = --k;
  return g;
}
auto numbers(const hung& g) {
  return get(&place::number, g);
}

template <class T>
vector<T> some(std::vector<index_t> at, std::vector<T> values) {
  return vector<T>::from_entries(here(), 5, at, values);
}

TEST(BoostGraphMaps, TakeEveryEntryAndSayWhatIsMissing) {
  hung g = five_places();
  bgl::to_property_map(some<float>({0, 3}, {1.5F, 2.5F}), g, get(&place::height, g), -1,
                       numbers(g));
  for (auto [v, end] = vertices(g); v != end; ++v) {
    const std::size_t k = g[*v].number;
    EXPECT_EQ(g[*v].height, k == 0 ? 1.5 : k == 3 ? 2.5 : -1);
  }
  EXPECT_EQ(bgl::from_property_map(here(), g, get(&place::height, g), numbers(g)).dense(7),
            (std::vector<double>{1.5, -1, -1, 2.5, -1}));
  const auto back =
      bgl::from_sparse_property_map(here(), g, get(&place::height, g), -1, numbers(g));
  EXPECT_EQ(back.nvals(), 2);
  EXPECT_EQ(back.dense(0), (std::vector<double>{1.5, 0, 0, 2.5, 0}));
}

// Converts like the operator language: to the nearest number of the map's type.
TEST(BoostGraphMaps, HoldTheNearestNumberOfTheirType) {
  using bare = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const bare g(5);
  boost::vector_property_map<int> map(5);
  bgl::to_property_map(some<double>({0, 1, 2, 3}, {1e300, -1e300, std::nan(""), 2.5}), g, map, 7);
  EXPECT_EQ(map[0], std::numeric_limits<int>::max());
  EXPECT_EQ(map[1], std::numeric_limits<int>::min());
  EXPECT_EQ(map[2], 0);
  EXPECT_EQ(map[3], 2);
  EXPECT_EQ(map[4], 7);
}

TEST(BoostGraphMaps, OfBoolsAndByTheGraphsOwnIndex) {
  using bare = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, place>;
  bare g(5);
  const vector<bool> v = vector<bool>::from_entries(here(), 5, std::vector<index_t>{1, 4},
                                                    std::array<bool, 2>{true, false});
  bgl::to_property_map(v, g, get(&place::open, g), true);
  const auto all = bgl::from_property_map(here(), g, get(&place::open, g));
  EXPECT_EQ(all.nvals(), 5);
  EXPECT_EQ(all.dense(false), (std::vector<bool>{true, true, true, true, false}));
  EXPECT_EQ(bgl::from_sparse_property_map(here(), g, get(&place::open, g), true).nvals(), 1);
  std::vector<int> to(5);
  bgl::to_property_map(v, bgl::as_graph(matrix<float>(here(), 5, 5)), to.data(), 9);
  EXPECT_EQ(to, (std::vector<int>{9, 1, 9, 9, 0}));
}

TEST(BoostGraphMaps, PredecessorsAreVertices) {
  const hung g = five_places();
  std::map<hung::vertex_descriptor, hung::vertex_descriptor> before;
  const boost::associative_property_map map(before);
  bgl::to_predecessor_map(some<index_t>({0, 2, 4}, {0, 0, 2}), g, map, numbers(g));
  ASSERT_EQ(before.size(), 5U);
  const std::vector<std::size_t> expected{0, 1, 0, 3, 2};
  for (const auto& [v, p] : before) EXPECT_EQ(g[p].number, expected[g[v].number]);

  boost::adjacency_list<> bare(5);
  std::vector<std::size_t> parents(5);
  bgl::to_predecessor_map(some<index_t>({0, 2, 4}, {0, 0, 2}), bare, parents.data());
  EXPECT_EQ(parents, expected);
}

TEST(BoostGraphMaps, OfAGraphWithoutVertices) {
  const boost::adjacency_list<> none;
  std::vector<double> nothing;
  bgl::to_property_map(vector<double>(here(), 0), none, nothing.data(), 0);
  EXPECT_EQ(bgl::from_property_map(here(), none, nothing.data()).size(), 0);
}

TEST(BoostGraphMaps, RefuseOtherSizesAndPutNothing) {
  boost::adjacency_list<> g(4);
  std::vector<float> map(4, 3);
  EXPECT_EQ(message_of<usage_error>(
                [&] { bgl::to_property_map(some<float>({0}, {1}), g, map.data(), 0); }),
            "to_property_map: the vector has 5 positions, the graph 4 vertices");
  EXPECT_EQ(map, std::vector<float>(4, 3));
  std::vector<std::size_t> before(5, 8);
  EXPECT_EQ(message_of<usage_error>(
                [&] { bgl::to_predecessor_map(some<index_t>({}, {}), g, before.data()); }),
            "to_predecessor_map: the vector has 5 positions, the graph 4 vertices");
  boost::adjacency_list<> five(5);
  for (const index_t parent : {index_t{-1}, index_t{5}})
    EXPECT_EQ(message_of<usage_error>([&] {
                bgl::to_predecessor_map(some<index_t>({3}, {parent}), five, before.data());
              }),
              "to_predecessor_map: the parent of 3 is " + std::to_string(parent) +
                  ", the graph has 5 vertices");
  EXPECT_EQ(before, std::vector<std::size_t>(5, 8));
  const auto one = boost::make_function_property_map<std::size_t>([](std::size_t) { return 1; });
  EXPECT_EQ(message_of<usage_error>([&] { bgl::from_property_map(here(), five, one, one); }),
            "from_property_map: vertex_index gives 1 to two vertices");
}

}  // namespace
}  // namespace tropic::testing
