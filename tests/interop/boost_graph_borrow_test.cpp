// SPDX-License-Identifier: Apache-2.0

// compressed_sparse_row_graph as a matrix: which arrays are borrowed, by address; what is rejected.

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <gtest/gtest.h>

#include "interop/boost_graph_cases.hpp"
#include "support/messages.hpp"

namespace tropic::testing {
namespace {

template <class Property, class Directed = boost::directedS, class EdgeIndex = std::uint32_t>
using csr = boost::compressed_sparse_row_graph<Directed, boost::no_property, Property,
                                               boost::no_property, std::uint32_t, EdgeIndex>;
struct road {
  float length = 0;
};
using road_property = boost::property<boost::edge_weight_t, float>;

template <class Graph>
Graph graph_of(const matrix<float>& m) {
  using property = typename Graph::edge_bundled;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<property> properties;
  for (const auto& [at, value] : entries_of(m)) {
    ends.emplace_back(at.first, at.second);
    if constexpr (!std::is_same_v<property, boost::no_property>)
      properties.push_back(property{value});
  }
  const auto n = static_cast<std::uint32_t>(m.rows());
  if constexpr (std::is_same_v<property, boost::no_property>)
    return Graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), n);
  else
    return Graph(boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), properties.begin(),
                 n);
}

template <class T, class Graph>
void shares_structure(const matrix<T>& m, const Graph& g) {
  EXPECT_EQ(m.column_indices().data.data(), &*adjacent_vertices(0U, g).first) << "columns copied";
  using offset = typename Graph::edges_size_type;
  EXPECT_EQ(m.template offsets<offset>().data.data(), g.m_forward.m_rowstart.data());
}

template <class Directed, class EdgeIndex>
void is_borrowed() {
  const auto expected = entries_of(small_matrix());
  const auto bundled = graph_of<csr<road, Directed, EdgeIndex>>(small_matrix());
  const auto by_bundle = bgl::borrow(here(), bundled, get(&road::length, bundled));
  EXPECT_EQ(entries_of(by_bundle), expected);
  shares_structure(by_bundle, bundled);

  const auto tagged = graph_of<csr<road_property, Directed, EdgeIndex>>(small_matrix());
  const auto by_tag = bgl::borrow(here(), tagged, get(boost::edge_weight, tagged));
  EXPECT_EQ(entries_of(by_tag), expected);
  shares_structure(by_tag, tagged);

  const auto plain = graph_of<csr<float, Directed, EdgeIndex>>(small_matrix());
  const auto all = bgl::borrow(here(), plain);
  EXPECT_EQ(entries_of(all), expected);
  shares_structure(all, plain);
  EXPECT_EQ(all.values().data.data(), &plain[*edges(plain).first]) << "values copied";

  const auto bare = graph_of<csr<boost::no_property, Directed, EdgeIndex>>(small_matrix());
  const auto pattern = bgl::borrow_pattern<std::int32_t>(here(), bare, 3);
  EXPECT_TRUE(pattern.is_iso());
  EXPECT_EQ(pattern.get(3, 2), std::optional(3));
  shares_structure(pattern, bare);
  EXPECT_EQ(entries_of(bgl::copy_pattern<std::int32_t>(here(), bare, 3)), entries_of(pattern));
}

TEST(BoostGraphBorrow, LooksAtTheGraphsOwnArrays) {
  is_borrowed<boost::directedS, std::uint32_t>();
  is_borrowed<boost::directedS, std::uint64_t>();
  is_borrowed<boost::bidirectionalS, std::uint32_t>();
  is_borrowed<boost::bidirectionalS, std::uint64_t>();
}

TEST(BoostGraphBorrow, SharedGraphsLiveAsLongAsTheirMatrix) {
  std::optional<matrix<float>> kept;
  std::optional<matrix<bool>> pattern;
  std::weak_ptr<const csr<float>> alive;
  std::weak_ptr<const csr<road>> bundled_alive;
  {
    const auto g = std::make_shared<const csr<float>>(graph_of<csr<float>>(small_matrix()));
    alive = g;
    const auto m = bgl::share(here(), g);
    shares_structure(m, *g);
    EXPECT_EQ(m.values().data.data(), &(*g)[*edges(*g).first]);
    kept = m;
    pattern = bgl::share_pattern(here(), g);
    const auto b = std::make_shared<const csr<road>>(graph_of<csr<road>>(small_matrix()));
    bundled_alive = b;
    EXPECT_EQ(entries_of(bgl::share(here(), b, get(&road::length, *b))),
              entries_of(small_matrix()));
  }
  EXPECT_TRUE(bundled_alive.expired());
  EXPECT_FALSE(alive.expired());
  EXPECT_EQ(entries_of(*kept), entries_of(small_matrix()));
  kept.reset();
  EXPECT_EQ(pattern->nvals(), 6);
  EXPECT_FALSE(alive.expired());
  pattern.reset();
  EXPECT_TRUE(alive.expired());
}

TEST(BoostGraphBorrow, OfNothingAndOfOneEdge) {
  for (const index_t n : {0, 4}) {
    const auto g = graph_of<csr<float>>(matrix<float>(here(), n, n));
    const auto m = bgl::borrow(here(), g);
    EXPECT_EQ(m.rows(), n);
    EXPECT_EQ(m.nvals(), 0);
    EXPECT_EQ(bgl::borrow_pattern(here(), g).nvals(), 0);
    const auto r = graph_of<csr<road>>(matrix<float>(here(), n, n));
    EXPECT_EQ(bgl::borrow(here(), r, get(&road::length, r)).nvals(), 0);
  }
  const std::vector<std::uint32_t> row{1}, column{0};
  const std::vector<float> value{8};
  const auto g =
      graph_of<csr<float>>(matrix<float>::from_entries(here(), 2, 2, row, column, value));
  EXPECT_EQ(entries_of(bgl::borrow(here(), g)), (entry_map<float>{{{1, 0}, 8.F}}));
  EXPECT_EQ(entries_of(bgl::borrow_pattern<float>(here(), g, 2)),
            (entry_map<float>{{{1, 0}, 2.F}}));
}

TEST(BoostGraphBorrow, RefusesWhatNoMatrixHolds) {
  using graph = csr<float>;
  const auto from_edges = [](std::vector<std::pair<std::uint32_t, std::uint32_t>> ends) {
    const std::vector<float> values{1, 2, 3};
    return graph(boost::edges_are_sorted, ends.begin(), ends.end(), values.begin(), 3);
  };
  const graph parallel = from_edges({{0, 1}, {1, 2}, {1, 2}}),
              unsorted = from_edges({{0, 2}, {0, 1}, {1, 0}});
  EXPECT_EQ(message_of<usage_error>([&] { bgl::borrow(here(), parallel); }),
            "borrow: matrix: row 1 has column 2 twice, at entries 1 and 2, expected each once "
            "(parallel edges, or targets out of order; copy takes them)");
  EXPECT_EQ(
      message_of<usage_error>([&] { bgl::borrow_pattern(here(), unsorted); }),
      "borrow_pattern: matrix: row 0 has column 1 at entry 1 after 2, expected ascending order "
      "(parallel edges, or targets out of order; copy takes them)");
  const auto shared = std::make_shared<const graph>(unsorted);
  EXPECT_NE(message_of<usage_error>([&] { bgl::share(here(), shared); }).find("share: "),
            std::string::npos);
  EXPECT_EQ(shared.use_count(), 1);

  EXPECT_EQ(entries_of(bgl::copy(here(), unsorted, get(boost::edge_bundle, unsorted))),
            (entry_map<float>{{{0, 2}, 1.F}, {{0, 1}, 2.F}, {{1, 0}, 3.F}}));
  EXPECT_EQ(
      entries_of(bgl::copy(here(), parallel, get(boost::edge_bundle, parallel), duplicates::sum)),
      (entry_map<float>{{{0, 1}, 1.F}, {{1, 2}, 5.F}}));
}

template <class Graph>
concept borrowed_from_a_temporary = requires(Graph g) { bgl::borrow(here(), std::move(g)); };
template <class Graph>
concept borrowed = requires(const Graph& g) { bgl::borrow(here(), g); };

TEST(BoostGraphBorrow, IsNoOfferToTemporariesAndOtherWidths) {
  using wide = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, float>;
  EXPECT_TRUE(borrowed<csr<float>>);
  EXPECT_FALSE(borrowed_from_a_temporary<csr<float>>);
  EXPECT_FALSE(borrowed<wide>) << "std::size_t is wider than a matrix's columns";
  const std::pair<std::size_t, std::size_t> ends(0, 1);
  const float value = 4;
  const wide g(boost::edges_are_sorted, &ends, &ends + 1, &value, 2);
  EXPECT_EQ(entries_of(bgl::copy(here(), g, get(boost::edge_bundle, g))),
            (entry_map<float>{{{0, 1}, 4.F}}));
}

TEST(BoostGraphBorrow, CountsTheValuesThatItCopies) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (std::uint32_t v = 1; v <= 1000; ++v) ends.emplace_back(v - 1, v);
  const std::vector<float> lengths(1000, 2);
  const csr<float> g(boost::edges_are_sorted, ends.begin(), ends.end(), lengths.begin(), 1001);
  const auto small = context::cpu({.memory_limit = 3000});
  EXPECT_THROW(bgl::borrow(small, g, get(boost::edge_bundle, g)), out_of_memory);
  EXPECT_EQ(bgl::borrow(small, g).nvals(), 1000) << "nothing is copied";
  EXPECT_EQ(small.memory_used(), 0U);
}

TEST(BoostGraphBorrow, RunsProductsAndOnADevice) {
  const auto g = graph_of<csr<float>>(small_matrix());
  for (const context& where : {here(), context::fake_device()}) {
    const auto m = bgl::borrow(where, g);
    const vector<float> ones(where, 5, 1);
    vector<float> sums(where, 5);
    mxv(sums, plus_times<float>{}, m, ones);
    EXPECT_EQ(sums.dense(0), (std::vector<float>{3, 3.5F, 0, 15, 0}));
  }
}

}  // namespace
}  // namespace tropic::testing
