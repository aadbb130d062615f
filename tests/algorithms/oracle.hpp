// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boost.Graph as the oracle of the algorithms, and the graphs that they are compared on.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <tropic/read_matrix.hpp>
#include <tropic/tropic.hpp>
#include <vector>

#include "support/shared_data.hpp"

namespace oracle {

using graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;

template <class T>
graph make(const tropic::matrix<T>& a) {
  graph g(static_cast<std::size_t>(a.rows()));
  const auto columns = a.column_indices();
  const auto values = a.values();
  for (tropic::index_t i = 0; i < a.rows(); ++i)
    for (tropic::index_t e = a.offset(i); e < a.offset(i + 1); ++e)
      boost::add_edge(static_cast<std::size_t>(i), columns[static_cast<std::size_t>(e)],
                      static_cast<double>(values[a.is_iso() ? 0 : static_cast<std::size_t>(e)]), g);
  return g;
}

inline std::vector<tropic::index_t> levels(const graph& g, std::size_t source) {
  std::vector<tropic::index_t> level(boost::num_vertices(g), -1);
  level[source] = 0;
  boost::breadth_first_search(g, source,
                              boost::visitor(boost::make_bfs_visitor(
                                  boost::record_distances(level.data(), boost::on_tree_edge{}))));
  return level;
}

/// Exact for the integer weights of the test graphs; -1 where there is no path.
inline std::vector<double> distances(const graph& g, std::size_t source) {
  std::vector<double> distance(boost::num_vertices(g));
  boost::dijkstra_shortest_paths(g, source,
                                 boost::distance_map(boost::make_iterator_property_map(
                                     distance.begin(), boost::get(boost::vertex_index, g))));
  for (double& d : distance)
    if (d == std::numeric_limits<double>::max()) d = -1;
  return distance;
}

/// A file of ../shared/data, or an empty path if it is not available.
inline std::filesystem::path shared(const std::string& name) {
  const std::filesystem::path path = tropic::testing::shared_data() / name;
  return std::filesystem::exists(path) ? path : tropic::testing::shared_file(path.filename());
}

#define TROPIC_NEEDS(path, name)                           \
  const std::filesystem::path path = oracle::shared(name); \
  if (path.empty()) GTEST_SKIP() << name << " is not at hand in ../shared/data"

inline const std::vector<std::string>& graphs() {
  static const std::vector<std::string> names{
      "graphs/USA-road-d.NY.mtx.xz", "graphs/wiki-Vote.mtx.xz", "graphs/ca-AstroPh.mtx.xz",
      "graphs/cnr-2000.mtx.xz",      "graphs/ct2010.mtx.xz",    "graphs/as-22july06.mtx.xz"};
  return names;
}

inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : std::filesystem::path(info.param).filename().string())
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}

inline tropic::context on_threads(int threads) {
  return tropic::context::cpu({.threads = threads});
}

/// The devices named in TROPIC_ALGORITHMS_ON, separated by spaces.
inline std::vector<tropic::context> devices() {
  std::vector<tropic::context> devices;
  const char* names = std::getenv("TROPIC_ALGORITHMS_ON");
  std::istringstream list(names == nullptr ? "" : names);
  for (std::string name; list >> name;)
    devices.push_back(tropic::context::named(name, {.threads = 2}));
  return devices;
}

/// The contexts that every algorithm runs on: those devices if there are any.
inline std::vector<tropic::context> contexts() {
  std::vector<tropic::context> all = devices();
  if (all.empty())
    all = {tropic::context::reference(), tropic::context::fake_device(), on_threads(1),
           on_threads(2), on_threads(3)};
  return all;
}

/// The context of real graphs: the first of those devices, otherwise the CPU.
inline tropic::context device_or_threads(int threads) {
  const std::vector<tropic::context> found = devices();
  return found.empty() ? on_threads(threads) : found.front();
}

}  // namespace oracle
