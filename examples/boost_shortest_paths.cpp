// SPDX-License-Identifier: Apache-2.0
//
// A Boost.Graph program that computes shortest paths with Tropic. The graph, its weights and the
// property maps remain Boost's; for comparison, Boost's Dijkstra runs on Tropic's matrix. The lines
// between the markers are shown in docs/interop.md; scripts/check-docs compares them.

#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/interop/boost_graph.hpp>
#include <tropic/tropic.hpp>

struct place {
  std::string name;
};
struct road {
  double length = 0;
};
using road_map = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, place, road>;

int main() {
  road_map g;
  for (const char* name : {"Harbour", "Market", "Mill", "Bridge", "Lighthouse"})
    boost::add_vertex(place{name}, g);
  boost::add_edge(0, 1, road{4}, g);
  boost::add_edge(0, 2, road{1}, g);
  boost::add_edge(2, 1, road{2}, g);
  boost::add_edge(2, 1, road{9}, g);  // the long way round
  boost::add_edge(1, 3, road{5}, g);

  // [boost]
  const auto here = tropic::context::automatic();
  const auto roads = tropic::bgl::copy(here, g, get(&road::length, g), tropic::duplicates::minimum);
  const auto paths = tropic::sssp(roads, 0);

  const double far = std::numeric_limits<double>::infinity();
  std::vector<double> distance(num_vertices(g));
  std::vector<road_map::vertex_descriptor> before(num_vertices(g));
  tropic::bgl::to_property_map(paths.distance, g, distance.data(), far);
  tropic::bgl::to_predecessor_map(paths.parent, g, before.data());
  // [boost]

  for (std::size_t v = 0; v < num_vertices(g); ++v) {
    std::cout << g[v].name << ": " << distance[v];
    for (std::size_t u = v; before[u] != u; u = before[u]) std::cout << " <- " << g[before[u]].name;
    std::cout << '\n';
  }

  std::vector<double> expected(num_vertices(g));
  boost::dijkstra_shortest_paths(tropic::bgl::as_undirected_graph(roads), 0U,
                                 boost::distance_map(expected.data()).distance_inf(far));
  const bool agree = distance == expected;
  std::cout << (agree ? "Dijkstra agrees\n" : "Dijkstra finds others\n");
  return agree ? 0 : 1;
}
