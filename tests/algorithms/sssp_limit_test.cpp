// SPDX-License-Identifier: Apache-2.0

// Shortest paths up to a limit: those of a whole search that are not above it, with less work.

#include "samples.hpp"
#include "support/messages.hpp"

#include "algorithms/sssp_between.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <tropic/algorithms/relabelled/sssp.hpp>
#include <tropic/algorithms/relabelled/sssp_between.hpp>
#include <tropic/algorithms/verify/sssp_between.hpp>

using namespace tropic;

namespace sssp_limit_test {
namespace {

/// `found` has the entries of `whole` whose distances are not above the limit, and no others.
template <class D>
void expect_part(const sssp_result<D>& whole, const sssp_result<D>& found, long double limit) {
  constexpr D none = arithmetic::largest<D>();
  auto distance = whole.distance.dense(none);
  auto parent = whole.parent.dense(-1);
  for (std::size_t v = 0; v < distance.size(); ++v)
    if (distance[v] == none || static_cast<long double>(distance[v]) > limit) {
      distance[v] = none;
      parent[v] = -1;
    }
  EXPECT_EQ(found.distance.dense(none), distance) << limit;
  EXPECT_EQ(found.parent.dense(-1), parent) << limit;
}

/// A grid with some very light edges, so that distances do not ascend with the number of edges.
matrix<std::int32_t> uneven_grid(const context& where, std::uint32_t side, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> from, to;
  std::vector<std::int32_t> weight;
  for (const auto& [u, v] : samples::grid_of(side)) {
    from.insert(from.end(), {u, v});
    to.insert(to.end(), {v, u});
    weight.insert(weight.end(), 2,
                  static_cast<std::int32_t>(random() % 3 == 0 ? random() % 2 : random() % 1000));
  }
  const auto n = static_cast<index_t>(side * side);
  return matrix<std::int32_t>::from_entries(where, n, n, from, to, weight);
}

template <class T>
matrix<T> edges(const context& where, index_t n, const std::vector<std::uint32_t>& from,
                const std::vector<std::uint32_t>& to, const std::vector<T>& weight) {
  return matrix<T>::from_entries(where, n, n, from, to, weight);
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST(SsspLimit, OfSmallGraphsLeavesOutWhatIsFarther) {
  const auto run = [](const auto& graph) {
    if (graph.rows() == 0) return;
    const auto whole = sssp(graph, 0);
    for (const double limit : {0.0, 1.0, 2.5, 3.0, 7.0, 1e300, infinity}) {
      const auto found = sssp(graph, 0, {.limit = limit});
      expect_part(whole, found, limit);
      EXPECT_EQ(verify_sssp(graph, 0, found, {.limit = limit}), "") << limit;
      EXPECT_LE(found.steps, whole.steps) << limit;
    }
  };
  samples::on_small_graphs<std::int32_t>(run);
  samples::on_small_graphs<double>(run);
}

TEST(SsspLimit, HoldsForEveryWidthOfBuckets) {
  for (const context& where : samples::contexts())
    for (const unsigned seed : {1U, 2U}) {
      const auto graph = uneven_grid(where, 20, seed);
      const auto whole = sssp(graph, 3);
      for (const double delta : {0.0, 1.0, 50.0, 5000.0})
        for (const double limit : {0.0, 1.0, 300.0, 2000.0}) {
          const auto found = sssp(graph, 3, {.delta = delta, .limit = limit});
          SCOPED_TRACE(std::string(where.name()) + ", " + std::to_string(delta));
          expect_part(whole, found, limit);
          EXPECT_EQ(verify_sssp(graph, 3, found, {.limit = limit}), "");
        }
    }
}

// A round goes one edge further, so that a search of the edges up to the 7th takes eight rounds.
TEST(SsspLimit, EndsASearch) {
  for (const context& where : samples::contexts()) {
    SCOPED_TRACE(where.name());
    const auto graph = make_matrix<std::int32_t>(where, grid(40));
    EXPECT_GE(sssp(graph, 0).steps, 78);
    EXPECT_EQ(sssp(graph, 0, {.limit = 7}).steps, 8);
    const std::vector<index_t> from{0, 0}, to{1599, 5};
    EXPECT_EQ(sssp_between(graph, from, to, {.limit = 7}).steps, 8);
  }
}

TEST(SsspLimit, IsRoundedToNoGreaterDistance) {
  const context where = oracle::on_threads(1);
  const auto reached = [&](auto weight, double limit) {
    using T = decltype(weight);
    return sssp<T>(edges<T>(where, 2, {0}, {1}, {weight}), 0, {.limit = limit}).distance.nvals() ==
           2;
  };
  const float tenth = 0.1F;  // above 0.1
  EXPECT_FALSE(reached(tenth, 0.1));
  EXPECT_TRUE(reached(tenth, static_cast<double>(tenth)));
  EXPECT_FALSE(reached(std::nextafter(tenth, 1.0F), static_cast<double>(tenth)));
  EXPECT_TRUE(reached(0.1, 0.1));
  EXPECT_FALSE(reached(std::nextafter(0.1, 1.0), 0.1));
  EXPECT_TRUE(reached(std::int32_t{2}, 2.9));
  EXPECT_FALSE(reached(std::int32_t{3}, 2.9));
  EXPECT_TRUE(reached(std::int64_t{1} << 53, 0x1p53));
  EXPECT_FALSE(reached((std::int64_t{1} << 53) + 1, 0x1p53));
  for (const double limit : {1e30, infinity}) {
    EXPECT_TRUE(reached(std::numeric_limits<std::int64_t>::max() - 1, limit));
    EXPECT_TRUE(reached(std::numeric_limits<std::uint64_t>::max() - 1, limit));
    EXPECT_TRUE(reached(std::uint8_t{254}, limit));
  }
  EXPECT_TRUE(reached(std::numeric_limits<float>::max(), 1e300));
  EXPECT_TRUE(reached(std::numeric_limits<double>::max(), std::numeric_limits<double>::max()));
  EXPECT_FALSE(reached(std::numeric_limits<double>::max(), 1e308));
}

// Clamped sums are at 254, whether the distance is in truth there or farther.
TEST(SsspLimit, CountsClampedDistancesWithinIt) {
  const context where = oracle::on_threads(1);
  const auto graph = edges<std::uint8_t>(where, 4, {0, 1, 2}, {1, 2, 3}, {200, 53, 90});
  const auto at = [&](double limit) { return sssp<std::uint8_t>(graph, 0, {.limit = limit}); };
  EXPECT_EQ(at(254).distance.nvals(), 4);
  EXPECT_EQ(at(254).saturated, 1);
  EXPECT_EQ(at(253).distance.dense(255), (std::vector<std::uint8_t>{0, 200, 253, 255}));
  EXPECT_EQ(at(253).saturated, 0);
  EXPECT_EQ(verify_sssp(graph, 0, at(253), {.limit = 253}), "");
  const std::vector<index_t> from{0, 0, 0}, to{3, 2, 1};
  for (const double limit : {252.0, 253.0}) {  // by whole searches
    const auto found = sssp_between<std::uint8_t>(graph, from, to, {.limit = limit});
    EXPECT_EQ(found.distance.nvals(), limit - 251);
    EXPECT_EQ(found.saturated, 0);
    EXPECT_EQ(verify_sssp_between(graph, from, to, found, {.limit = limit}), "");
  }
}

TEST(SsspLimit, OfPairsLeavesOutThoseFarther) {
  for (const context& where : samples::contexts()) {
    SCOPED_TRACE(where.name());
    const auto graph = uneven_grid(where, 20, 4);
    std::mt19937 random(7);
    std::vector<index_t> from, to;
    for (index_t k = 0; k < 40; ++k) {
      from.push_back(static_cast<index_t>(random() % 5));
      to.push_back(static_cast<index_t>(random() % 400));
    }
    const auto whole = sssp_between(graph, from, to).distance.dense(-1);
    for (const double limit : {0.0, 400.0, 2500.0, infinity}) {
      const auto found = sssp_between(graph, from, to, {.limit = limit});
      auto expected = whole;
      for (auto& d : expected)
        if (static_cast<double>(d) > limit) d = -1;
      EXPECT_EQ(found.distance.dense(-1), expected) << limit;
      EXPECT_EQ(verify_sssp_between(graph, from, to, found, {.limit = limit}), "") << limit;
    }
  }
}

TEST(SsspLimit, IsTheSameOnRelabelledGraphs) {
  for (const context& where : samples::contexts()) {
    const auto graph = uneven_grid(where, 12, 5);
    const relabelled_graph<std::int32_t> moved(graph, permutation_kind::random_row, 3);
    const auto expected = sssp(graph, 7, {.limit = 900}), found = sssp(moved, 7, {.limit = 900});
    EXPECT_LT(expected.distance.nvals(), 144);
    EXPECT_EQ(found.distance.dense(-1), expected.distance.dense(-1)) << where.name();
    EXPECT_EQ(found.parent.dense(-1), expected.parent.dense(-1)) << where.name();
    const std::vector<index_t> from{7, 7, 9}, to{8, 143, 9};
    EXPECT_EQ(sssp_between(moved, from, to, {.limit = 900}).distance.dense(-1),
              sssp_between(graph, from, to, {.limit = 900}).distance.dense(-1));
    EXPECT_THROW(sssp(relabelled_graph<double>(edges<double>(where, 2, {0}, {1}, {-1}),
                                               permutation_kind::random_row, 3),
                      0, {.limit = 1}),
                 usage_error);
  }
}

TEST(SsspLimit, OfGraphsOfAnyTypeIsVerified) {
  const auto graph = uneven_grid(context::cpu(), 12, 6);
  const algorithms::any_graph any(graph.base());
  const std::vector<index_t> from{0, 0}, to{1, 143};
  for (const type_code type : {type_code::int64, type_code::int32, type_code::fp32}) {
    const auto found = algorithms::sssp(any, type, 0, {.limit = 800});
    EXPECT_EQ(algorithms::verify_sssp(any, 0, found, {.limit = 800}), "");
    EXPECT_NE(algorithms::verify_sssp(any, 0, found, {.limit = 500}), "");
    EXPECT_NE(algorithms::verify_sssp(any, 0, found, {}), "");
    const auto between = algorithms::sssp_between(any, type, from, to, {.limit = 800});
    EXPECT_EQ(algorithms::verify_sssp_between(any, from, to, between, {.limit = 800}), "");
    EXPECT_NE(algorithms::verify_sssp_between(any, from, to, between, {}), "");
  }
}

TEST(SsspLimit, NeedsANumberAndWeightsFromZero) {
  const context where = oracle::on_threads(1);
  const auto refusal = [](const auto& f) { return tropic::testing::message_of<usage_error>(f); };
  const auto graph = edges<float>(where, 3, {0}, {1}, {1});
  const auto negative = edges<float>(where, 3, {0}, {1}, {-1});
  const std::vector<index_t> none, one{0};
  EXPECT_EQ(refusal([&] { sssp(graph, 0, {.limit = -1}); }),
            "sssp: the limit is -1, expected a number from 0");
  EXPECT_NE(refusal([&] { sssp(graph, 0, {.limit = std::nan("")}); }), "");
  EXPECT_NE(refusal([&] { sssp_between(graph, one, one, {.limit = -1}); }), "");
  const std::string needs = "sssp: a limit needs weights from 0, a weight is negative";
  EXPECT_EQ(refusal([&] { sssp(negative, 0, {.limit = 5}); }), needs);
  EXPECT_EQ(refusal([&] { sssp_between(negative, one, one, {.limit = 5}); }), needs);
  EXPECT_EQ(refusal([&] { sssp_between(negative, none, none, {.limit = 5}); }), needs);
  EXPECT_EQ(sssp(negative, 0, {.limit = infinity}).distance.nvals(), 2);
}

TEST(SsspLimit, ThatIsNotKeptIsFoundByTheVerifier) {
  const context where = oracle::on_threads(1);
  const auto graph = edges<std::int64_t>(where, 3, {0, 1}, {1, 2}, {4, 5});
  const auto whole = sssp(graph, 0), found = sssp(graph, 0, {.limit = 8});
  EXPECT_EQ(verify_sssp(graph, 0, whole, {.limit = 9}), "");
  EXPECT_EQ(verify_sssp(graph, 0, whole, {.limit = 8}),
            "vertex 2 is at distance 9, above the limit");
  EXPECT_EQ(verify_sssp(graph, 0, found, {.limit = 8}), "");
  EXPECT_EQ(verify_sssp(graph, 0, found, {.limit = 9}),
            "the edge from 1 to 2 leads to 9, recorded is 10");
  const std::vector<index_t> from{0}, to{2};
  EXPECT_EQ(verify_sssp_between(graph, from, to, sssp_between(graph, from, to), {.limit = 8}),
            "from 0 to 2 the result has 9, a search that is checked has no path");
}

}  // namespace sssp_limit_test
