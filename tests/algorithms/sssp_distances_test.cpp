// SPDX-License-Identifier: Apache-2.0

// The type of distances, and sums that it cannot hold: every integer type against 128-bit paths
// computed by a simple oracle.

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/verify/sssp.hpp>

#include "oracle.hpp"
#include "support/messages.hpp"

using namespace tropic;

namespace {

__extension__ using wide = __int128;

template <class T>
struct edge {
  index_t from, to;
  T weight;
};

template <class T>
matrix<T> graph_of(const context& where, index_t n, const std::vector<edge<T>>& list) {
  std::vector<std::uint32_t> from, to;
  std::vector<T> weight;
  for (const edge<T>& e : list) {
    from.push_back(static_cast<std::uint32_t>(e.from));
    to.push_back(static_cast<std::uint32_t>(e.to));
    weight.push_back(e.weight);
  }
  return matrix<T>::from_entries(where, n, n, from, to, weight, duplicates::minimum);
}

// True distances by Bellman and Ford in 128 bits; empty: no path. The graph has no negative cycle.
template <class T>
std::vector<std::optional<wide>> true_distances(const matrix<T>& graph, index_t source) {
  const auto columns = graph.column_indices();
  const auto values = graph.values();
  std::vector<std::optional<wide>> distance(static_cast<std::size_t>(graph.rows()));
  distance[static_cast<std::size_t>(source)] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (index_t u = 0; u < graph.rows(); ++u) {
      const auto at = distance[static_cast<std::size_t>(u)];
      if (!at) continue;
      for (index_t e = graph.offset(u); e < graph.offset(u + 1); ++e) {
        const wide over = *at + values[graph.is_iso() ? 0 : static_cast<std::size_t>(e)];
        auto& to = distance[columns[static_cast<std::size_t>(e)]];
        if (to && *to <= over) continue;
        to = over;
        changed = true;
      }
    }
  }
  return distance;
}

template <class D>
constexpr wide largest_distance = std::numeric_limits<D>::max() - 1;

using tropic::testing::message_of;

// Distances from 0 are the true ones, or clamped; parents justify each distance that is exact.
template <class D, class T>
void expect_clamped(const matrix<T>& graph, index_t source, const sssp_result<D>& found) {
  const auto expected = true_distances(graph, source);
  const auto distance = found.distance.dense(arithmetic::largest<D>());
  index_t saturated = 0;
  for (std::size_t v = 0; v < expected.size(); ++v) {
    if (!expected[v]) {
      EXPECT_EQ(distance[v], arithmetic::largest<D>()) << v;
      continue;
    }
    EXPECT_TRUE(wide{distance[v]} == std::min(*expected[v], largest_distance<D>)) << v;
    saturated += *expected[v] > largest_distance<D>;
  }
  EXPECT_EQ(found.saturated, saturated);
  EXPECT_EQ(verify_sssp(graph, source, found, {.allow_saturation = true}), "");
  EXPECT_EQ(verify_sssp(graph, source, found) == "", saturated == 0);
  const std::string complaint = verify_sssp(graph, source, found);
  EXPECT_EQ(complaint.find("saturated") != std::string::npos, saturated > 0) << complaint;
  // The smallest parent, or one of those with the fewest edges, over an edge whose sum is exact.
  const auto parent = found.parent.dense(-1);
  for (index_t v = 0; v < graph.rows(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (v == source || !expected[at] || *expected[at] > largest_distance<D>) continue;
    const auto up = static_cast<std::size_t>(parent[at]);
    ASSERT_GE(parent[at], 0) << v;
    ASSERT_TRUE(*expected[up] + *graph.get(parent[at], v) == *expected[at]) << v;
  }
}

template <class T>
std::vector<edge<T>> random_edges(std::mt19937_64& random, index_t n, int count, T largest) {
  std::vector<edge<T>> list;
  for (int e = 0; e < count; ++e)
    list.push_back({static_cast<index_t>(random() % static_cast<unsigned>(n)),
                    static_cast<index_t>(random() % static_cast<unsigned>(n)),
                    static_cast<T>(random() % (static_cast<std::uint64_t>(largest) + 1))});
  return list;
}

}  // namespace

template <class T>
class Distances : public ::testing::Test {};
using narrow_types = ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::uint8_t,
                                      std::uint16_t, std::uint32_t>;
TYPED_TEST_SUITE(Distances, narrow_types);

TYPED_TEST(Distances, OfNarrowIntegersHave64Bits) {
  using T = TypeParam;
  constexpr T end = std::numeric_limits<T>::max();  // an ordinary length
  for (const context& where : {oracle::on_threads(2), context::reference()}) {
    const auto graph =
        graph_of<T>(where, 5, {{0, 1, end}, {1, 2, end}, {2, 3, 5}, {0, 3, end}, {3, 2, 0}});
    const sssp_result<std::int64_t> found = sssp(graph, 0);
    const std::int64_t longest = end;
    EXPECT_EQ(found.distance.dense(-1),
              (std::vector<std::int64_t>{0, longest, longest, longest, -1}));
    EXPECT_EQ(found.saturated, 0);
    EXPECT_EQ(verify_sssp(graph, 0, found), "");
    const auto chain = graph_of<T>(where, 4, {{0, 1, end}, {1, 2, end}, {2, 3, 5}});
    const auto far = sssp(chain, 0);
    EXPECT_EQ(far.distance.dense(-1),
              (std::vector<std::int64_t>{0, longest, 2 * longest, 2 * longest + 5}));
    EXPECT_EQ(far.saturated, 0);
    EXPECT_EQ(verify_sssp(chain, 0, far), "");
  }
}

TYPED_TEST(Distances, OfRandomGraphsAreThoseOf128Bits) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  for (int round = 0; round < 8; ++round) {
    const auto graph = graph_of<T>(oracle::on_threads(2), 60,
                                   random_edges<T>(random, 60, 150, std::numeric_limits<T>::max()));
    expect_clamped(graph, 0, sssp(graph, 0));
  }
}

TYPED_TEST(Distances, OfTheNarrowTypeAreClampedAndCounted) {
  using T = TypeParam;
  std::mt19937_64 random(11);
  index_t saturated = 0;
  // Lengths around a third of the type's range: paths end below the clamp, at it and beyond.
  for (int round = 0; round < 30; ++round) {
    std::vector<edge<T>> list = random_edges<T>(random, 40, 70, 3);
    for (edge<T>& e : list)
      e.weight = round % 2 == 0 ? static_cast<T>(largest_distance<T> / 3 - 1 + e.weight)
                                : static_cast<T>(e.weight * (largest_distance<T> / 3));
    const auto graph = graph_of<T>(oracle::on_threads(2), 40, list);
    const sssp_result<T> found = sssp<T>(graph, 0);
    expect_clamped(graph, 0, found);
    saturated += found.saturated;
    for (const permutation_kind kind : {permutation_kind::random_row, permutation_kind::rcm}) {
      const sssp_result<T> moved = sssp<T>(relabelled_graph<T>(graph, kind, 5), 0);
      EXPECT_EQ(moved.distance.dense(0), found.distance.dense(0));
      EXPECT_EQ(moved.parent.dense(-1), found.parent.dense(-1));
      EXPECT_EQ(moved.saturated, found.saturated);
    }
  }
  EXPECT_GT(saturated, 100);
}

TYPED_TEST(Distances, AtTheClampByAnExactSumAreNotCounted) {
  using T = TypeParam;
  const T end = static_cast<T>(largest_distance<T>), half = static_cast<T>(end / 2);
  const T rest = static_cast<T>(end - half);
  const context where = oracle::on_threads(1);
  // 2 is at the clamp exactly, over 3; over 1, a smaller number, the sum is clamped to it.
  const auto graph = graph_of<T>(where, 4, {{0, 1, rest}, {1, 2, end}, {0, 3, half}, {3, 2, rest}});
  const sssp_result<T> found = sssp<T>(graph, 0);
  EXPECT_EQ(found.distance.get(2), end);
  EXPECT_EQ(found.saturated, 0);
  EXPECT_EQ(found.parent.get(2), 3);
  EXPECT_EQ(verify_sssp(graph, 0, found), "");
  // An edge of weight zero keeps it exact, one of weight 1 does not; parents form no cycle there.
  const auto longer = graph_of<T>(
      where, 6, {{0, 5, half}, {5, 4, rest}, {4, 3, 0}, {4, 2, 1}, {2, 1, 1}, {1, 2, 1}});
  const sssp_result<T> further = sssp<T>(longer, 0);
  EXPECT_EQ(further.distance.dense(0), (std::vector<T>{0, end, end, end, end, half}));
  EXPECT_EQ(further.saturated, 2);
  EXPECT_EQ(verify_sssp(longer, 0, further, {.allow_saturation = true}), "");
  EXPECT_EQ(verify_sssp(longer, 0, further).find("the distance of vertex "), 0U);
}

TYPED_TEST(Distances, RefuseAWeightThatMeansNoPath) {
  using T = TypeParam;
  const T end = std::numeric_limits<T>::max();
  const auto graph = graph_of<T>(oracle::on_threads(1), 3, {{0, 1, 1}, {1, 2, end}});
  EXPECT_EQ(sssp(graph, 0).distance.get(2), std::int64_t{end} + 1);
  const std::string expected = "sssp: the edge from 1 to 2 weighs " + std::to_string(end) +
                               ", which represents no path; the largest weight is " +
                               std::to_string(end - 1);
  EXPECT_EQ(message_of([&] { sssp<T>(graph, 0); }), expected);
  EXPECT_EQ(
      message_of([&] { sssp<T>(relabelled_graph<T>(graph, permutation_kind::random_row, 3), 0); }),
      expected);
}

TEST(Sssp, AnInt64WeightThatMeansNoPathIsRefused) {
  constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();
  const auto graph = graph_of<std::int64_t>(oracle::on_threads(1), 3, {{0, 1, end}, {1, 2, 1}});
  EXPECT_EQ(message_of([&] { sssp(graph, 0); }),
            "sssp: the edge from 0 to 1 weighs 9223372036854775807, which represents no path; the "
            "largest weight is 9223372036854775806");
  // ... and if other weights are negative.
  const auto minus = graph_of<std::int64_t>(oracle::on_threads(1), 3, {{0, 1, end}, {1, 2, -1}});
  EXPECT_THROW(sssp(minus, 0), unusable_weight);
}

TEST(Sssp, Distances64BitsLongSaturate) {
  const context where = oracle::on_threads(2);
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 2;
  const auto graph = graph_of<std::int64_t>(where, 4, {{0, 1, far}, {1, 2, far}, {2, 3, far}});
  const auto found = sssp(graph, 0);
  expect_clamped(graph, 0, found);
  EXPECT_EQ(found.saturated, 1);
  EXPECT_NE(verify_sssp(graph, 0, found).find("9223372036854775806 + 4611686018427387903"),
            std::string::npos)
      << verify_sssp(graph, 0, found);
  constexpr std::uint64_t wide_far = std::numeric_limits<std::uint64_t>::max() / 2;
  const auto unsigned_graph =
      graph_of<std::uint64_t>(where, 4, {{0, 1, wide_far}, {1, 2, wide_far}, {2, 3, wide_far}});
  const sssp_result<std::uint64_t> unsigned_found = sssp(unsigned_graph, 0);
  expect_clamped(unsigned_graph, 0, unsigned_found);
  EXPECT_EQ(unsigned_found.saturated, 1);
}

TEST(Sssp, FloatingDistancesClampedAtTheLargestAreCounted) {
  constexpr float far = std::numeric_limits<float>::max(),
                  none = std::numeric_limits<float>::infinity();
  const auto graph = graph_of<float>(oracle::on_threads(1), 5,
                                     {{0, 1, far}, {1, 2, far}, {0, 3, 1}, {3, 4, none}});
  const auto found = sssp(graph, 0);
  EXPECT_EQ(found.distance.dense(none), (std::vector<float>{0, far, far, 1, none}));
  EXPECT_EQ(found.saturated, 1);
  EXPECT_NE(verify_sssp(graph, 0, found), "");
  EXPECT_EQ(verify_sssp(graph, 0, found, {.allow_saturation = true}), "");
}

TEST(Sssp, DistancesOfAnotherTypeAreAskedFor) {
  const context where = oracle::on_threads(1);
  const auto graph = graph_of<std::uint8_t>(where, 4, {{0, 1, 200}, {1, 2, 100}, {2, 3, 255}});
  const sssp_result<std::int16_t> middle = sssp<std::int16_t>(graph, 0);
  EXPECT_EQ(middle.distance.dense(-1), (std::vector<std::int16_t>{0, 200, 300, 555}));
  const sssp_result<double> real = sssp<double>(graph, 0);
  EXPECT_EQ(real.distance.dense(-1), (std::vector<double>{0, 200, 300, 555}));
  EXPECT_EQ(verify_sssp(graph, 0, real), "");
  EXPECT_FALSE((holds_weights<std::int8_t, std::uint8_t>()));
  EXPECT_FALSE((holds_weights<std::int64_t, std::uint64_t>()));
  EXPECT_FALSE((holds_weights<std::int64_t, float>()));
  EXPECT_FALSE((holds_weights<float, double>()));
  EXPECT_FALSE((holds_weights<bool, bool>()));
  EXPECT_TRUE((holds_weights<std::uint64_t, std::uint8_t>()));
}

TEST(Sssp, NegativeSumsClampedAtTheSmallestAreCounted) {
  const context where = oracle::on_threads(1);
  // 2 is at -200, recorded at -128, and 3 behind it; 4 is exact.
  const auto graph =
      graph_of<std::int8_t>(where, 5, {{0, 1, -100}, {1, 2, -100}, {2, 3, 50}, {0, 4, -128}});
  const auto found = sssp<std::int8_t>(graph, 0);
  EXPECT_EQ(found.distance.dense(0), (std::vector<std::int8_t>{0, -100, -128, -78, -128}));
  EXPECT_EQ(found.saturated, 2);
  EXPECT_EQ(verify_sssp(graph, 0, found), "the edge from 1 to 2 leads to -200, recorded is -128");
  EXPECT_EQ(verify_sssp(graph, 0, found, {.allow_saturation = true}), "");
  const auto whole = sssp(graph, 0);
  EXPECT_EQ(whole.distance.dense(0), (std::vector<std::int64_t>{0, -100, -200, -150, -128}));
  EXPECT_EQ(whole.saturated, 0);
  EXPECT_EQ(verify_sssp(graph, 0, whole), "");
}

TEST(Sssp, AClampedDistanceThatANegativeEdgeBringsBackIsCounted) {
  // 2 is at 200, recorded at 126; 3 at 190, recorded at 116; 4 is exact.
  const auto graph = graph_of<std::int8_t>(oracle::on_threads(1), 5,
                                           {{0, 1, 100}, {1, 2, 100}, {2, 3, -10}, {1, 4, -100}});
  const auto found = sssp<std::int8_t>(graph, 0);
  EXPECT_EQ(found.distance.dense(0), (std::vector<std::int8_t>{0, 100, 126, 116, 0}));
  EXPECT_EQ(found.saturated, 2);
  EXPECT_NE(verify_sssp(graph, 0, found).find("saturated"), std::string::npos);
}

TEST(Sssp, RandomNegativeWeightsOfANarrowTypeAreExactWhereTheyAreNotCounted) {
  std::mt19937_64 random(3);
  index_t saturated = 0, exact = 0;
  for (int round = 0; round < 60; ++round) {
    // Edges lead only to larger numbers: no cycle.
    std::vector<edge<std::int8_t>> list;
    for (int e = 0; e < 60; ++e) {
      const auto u = static_cast<index_t>(random() % 29);
      const auto v = u + 1 + static_cast<index_t>(random() % 4);
      if (v < 30) list.push_back({u, v, static_cast<std::int8_t>(random() % 180 - 90)});
    }
    const auto graph = graph_of<std::int8_t>(oracle::on_threads(2), 30, list);
    const auto found = sssp<std::int8_t>(graph, 0);
    const auto expected = true_distances(graph, 0);
    const auto distance = found.distance.dense(127);
    index_t wrong = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      wrong += expected[v] && *expected[v] != distance[v];
      exact += expected[v] && *expected[v] == distance[v];
    }
    EXPECT_GE(found.saturated, wrong);
    const bool sound = verify_sssp(graph, 0, found).empty();
    EXPECT_TRUE(sound || found.saturated > 0);
    EXPECT_FALSE(sound && wrong > 0);
    // Nothing at the lower clamp: the count is exact.
    if (*std::ranges::min_element(distance) > -128) {
      EXPECT_EQ(found.saturated, wrong);
    }
    saturated += found.saturated;
    const auto moved =
        sssp<std::int8_t>(relabelled_graph<std::int8_t>(graph, permutation_kind::random_row, 9), 0);
    EXPECT_EQ(moved.distance.dense(127), distance);
    EXPECT_EQ(moved.parent.dense(-1), found.parent.dense(-1));
    EXPECT_EQ(moved.saturated, found.saturated);
  }
  EXPECT_GT(saturated, 20);
  EXPECT_GT(exact, 300);
}

TEST(Sssp, ACycleOfClampedDistancesIsNoNegativeCycle) {
  // 1 -> 2 -> 1 weighs 50; in int8, 2 is clamped to 126, and 1 would be at 76 over it.
  const auto graph =
      graph_of<std::int8_t>(oracle::on_threads(1), 3, {{0, 1, 100}, {1, 2, 100}, {2, 1, -50}});
  EXPECT_EQ(message_of([&] { sssp<std::int8_t>(graph, 0); }),
            "sssp: int8 distances do not hold the sums of these weights, some of which are "
            "negative; expected a wider type of distances");
  EXPECT_EQ(sssp(graph, 0).distance.dense(0), (std::vector<std::int64_t>{0, 100, 200}));
  const auto cycle =
      graph_of<std::int8_t>(oracle::on_threads(1), 3, {{0, 1, 100}, {1, 2, 20}, {2, 1, -50}});
  EXPECT_THROW(sssp<std::int8_t>(cycle, 0), negative_cycle);
}

TEST(Sssp, AVerifierSeesACountThatIsWrong) {
  const auto graph = graph_of<std::uint8_t>(oracle::on_threads(1), 2, {{0, 1, 3}});
  auto found = sssp(graph, 0);
  found.saturated = 1;
  EXPECT_EQ(verify_sssp(graph, 0, found),
            "1 distances are counted as saturated, all of them are exact");
}

TEST(Sssp, ADeltaThatIsNoWidthIsRefused) {
  const auto graph = graph_of<std::int64_t>(oracle::on_threads(1), 2, {{0, 1, 3}});
  const auto minus = graph_of<std::int64_t>(oracle::on_threads(1), 2, {{0, 1, -3}});
  const relabelled_graph<std::int64_t> moved(graph, permutation_kind::random_row);
  for (const double delta : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::string expected =
        "sssp: delta is " + detail::number_text(delta) + ", expected a finite number from 0";
    EXPECT_EQ(message_of([&] { sssp(graph, 0, {.delta = delta}); }), expected);
    EXPECT_EQ(message_of([&] { sssp(minus, 0, {.delta = delta}); }), expected);
    EXPECT_EQ(message_of([&] { sssp(moved, 0, {.delta = delta}); }), expected);
  }
}

TEST(Sssp, AGraphWithoutVerticesSaysSo) {
  const matrix<double> none(oracle::on_threads(1), 0, 0);
  EXPECT_EQ(message_of([&] { sssp(none, 0); }), "sssp: source 0, the graph has no vertices");
}
