// SPDX-License-Identifier: Apache-2.0
//
// route FILE FROM TO: reads a graph with integer weights and prints the shortest route between
// two vertices (0-based), its length and every vertex on the way.

#include <algorithm>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include <tropic/algorithms/sssp.hpp>
#include <tropic/io.hpp>
#include <tropic/tropic.hpp>

namespace {

using weight = std::int64_t;

tropic::matrix<weight> read_graph(const tropic::context& here, const std::string& file) {
  tropic::io::read_options options;
  options.type = tropic::type_code::int64;
  const tropic::io::coordinates edges = tropic::io::read(file, options);
  std::vector<weight> weights(edges.values.size() / sizeof(weight));
  std::memcpy(weights.data(), edges.values.data(), weights.size() * sizeof(weight));
  if (edges.pattern)  // no weights in the file: every edge has length 1
    return tropic::matrix<weight>::from_pattern(here, edges.rows, edges.columns, edges.row,
                                                edges.column, 1);
  // Of parallel roads the shortest counts.
  return tropic::matrix<weight>::from_entries(here, edges.rows, edges.columns, edges.row,
                                              edges.column, weights, tropic::duplicates::minimum);
}

int run(const std::string& file, tropic::index_t from, tropic::index_t to) {
  const auto here = tropic::context::cpu();
  const tropic::matrix<weight> graph = read_graph(here, file);
  const auto paths = tropic::sssp(graph, from);
  const auto length = paths.distance.get(to);  // throws where there is no such vertex
  if (!length) {
    std::cout << "no route leads from " << from << " to " << to << '\n';
    return 1;
  }
  std::vector<tropic::index_t> way{to};
  while (way.back() != from) way.push_back(*paths.parent.get(way.back()));
  std::reverse(way.begin(), way.end());
  std::cout << "length " << *length << ", " << way.size() - 1 << " edges\n";
  for (const tropic::index_t vertex : way) std::cout << vertex << '\n';
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: route FILE FROM TO\n";
    return 2;
  }
  try {
    return run(arguments[1], std::stoll(arguments[2]), std::stoll(arguments[3]));
  } catch (const std::exception& failure) {
    std::cerr << "route: " << failure.what() << '\n';
    return 2;
  }
}
