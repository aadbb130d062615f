// SPDX-License-Identifier: Apache-2.0
#include "support/graphs.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <string_view>

#include <tropic/generators.hpp>

#include "support/cases.hpp"
#include "support/shared_data.hpp"

namespace tropic::testing {
namespace {

// About 90 s on PoCL with two cores. Builds that are many times slower use less (TROPIC_EVERY).
constexpr index_t default_entries = 600'000;

io::coordinates read(const test_graph& graph, std::optional<type_code> type) {
  return graph.is_generated() ? generate(graph.source)
                              : io::read(shared_file(graph.source), {.type = type});
}

std::int64_t weight(std::uint32_t i, std::uint32_t j) {
  const auto [low, high] = std::minmax(i, j);
  return 1 + static_cast<std::int64_t>(dice((std::uint64_t{low} << 32) | high).next() % 255);
}

}  // namespace

std::ostream& operator<<(std::ostream& to, const test_graph& graph) {
  return to << graph.source;
}

const std::vector<test_graph>& test_graphs() {
  using enum weight_kind;
  static const std::vector<test_graph> graphs{
      {"karate", "karate.mtx.xz", 156},
      {"power", "power.mtx.xz", 13'188},
      {"as_22july06", "as-22july06.mtx.xz", 96'872},
      {"wiki_Vote", "wiki-Vote.mtx.xz", 103'689},
      {"ct2010", "ct2010.mtx.xz", 336'352, whole},
      {"cond_mat_2005", "cond-mat-2005.mtx.xz", 351'382, real},
      {"wordnet3", "wordnet3-synsets.mtx.xz", 361'647},
      {"email_Enron", "email-Enron.mtx.xz", 367'662},
      {"ca_AstroPh", "ca-AstroPh.mtx.xz", 394'062},
      {"cit_HepPh", "cit-HepPh.mtx.xz", 421'578},
      {"cage11", "cage11.mtx.xz", 559'722, real},
      {"USA_road_d_NY", "USA-road-d.NY.mtx.xz", 730'100, whole},
      {"NotreDame", "NotreDame_www.mtx.xz", 929'849},
      {"Slashdot0902", "soc-Slashdot0902.mtx.xz", 948'464},
      {"dblp_2010", "dblp-2010.mtx.xz", 1'615'400},
      {"cnr_2000", "cnr-2000.mtx.xz", 3'216'152},
      {"USA_road_u_NE", "USA-road-u.NE.mtx.xz", 3'868'020},
      {"grid_512", "grid:512", 1'046'528},
      {"kron_16", "kron:16", 1'800'000},
      {"kron_17", "kron:17", 3'800'000},
      {"kron_18", "kron:18", 7'600'000},
      {"kron_19", "kron:19", 15'500'000},
      {"kron_20", "kron:20", 31'400'000},
      {"urand_18", "urand:18", 8'400'000}};
  return graphs;
}

std::string why_left_out(const test_graph& graph) {
  const char* given = std::getenv("TROPIC_GRAPHS");
  const index_t limit = default_entries / static_cast<index_t>(every_nth());
  if (graph.entries > limit && (given == nullptr || std::string_view(given) != "all"))
    return graph.source + " has " + std::to_string(graph.entries) + " entries; more than " +
           std::to_string(limit) + " run with TROPIC_GRAPHS=all";
  if (!graph.is_generated() && shared_file(graph.source).empty())
    return graph.source + " is not at hand in " + shared_data().string();
  return {};
}

io::coordinates edges(const test_graph& graph) {
  io::coordinates result = read(graph, std::nullopt);
  result.pattern = true;
  return result;
}

template <class T>
io::coordinates weighted_edges(const test_graph& graph) {
  if (graph.is_generated())
    return generate(graph.source, {.weighted = true, .type = builtin_code<T>()});
  const weight_kind fitting = std::is_integral_v<T> ? weight_kind::whole : weight_kind::real;
  if (graph.weights == fitting) return read(graph, builtin_code<T>());
  io::coordinates result = edges(graph);
  result.pattern = false;
  result.type = builtin_code<T>();
  result.values.resize(result.row.size() * sizeof(T));
  for (std::size_t e = 0; e < result.row.size(); ++e) {
    const T value = static_cast<T>(weight(result.row[e], result.column[e]));
    std::memcpy(result.values.data() + e * sizeof(T), &value, sizeof(T));
  }
  return result;
}
template io::coordinates weighted_edges<std::int64_t>(const test_graph&);
template io::coordinates weighted_edges<double>(const test_graph&);

index_t busiest_vertex(const io::coordinates& graph) {
  std::vector<index_t> degree(static_cast<std::size_t>(graph.rows), 0);
  for (const std::uint32_t i : graph.row) ++degree[i];
  return std::ranges::max_element(degree) - degree.begin();
}

}  // namespace tropic::testing
