// SPDX-License-Identifier: Apache-2.0

// Graphs from edges: compared with a sorted set of the same edges, at numbers of edges around those
// that add a bucket, a slice, a line of a bucket, and at which places are marked instead of sorted.

#include "io/generators/symmetric_graph.hpp"

#include <set>
#include <tropic/detail/random_bits.hpp>

#include "samples.hpp"

namespace tropic::io::samples {
namespace {

using detail::edge;

/// Edges of any shape: loops and repetitions included.
struct drawn_edges {
  int scale;
  std::uint64_t different;  ///< edges repeat after that many
  std::uint32_t hub_share;  ///< one edge in that many begins at vertex 0

  edge operator()(std::uint64_t e) const {
    const std::uint64_t bits = tropic::detail::random_bits(17, e % different);
    const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
    const auto from = static_cast<std::uint32_t>(bits % hub_share == 0 ? 0 : bits >> 32 & mask);
    return {from, static_cast<std::uint32_t>(bits & mask)};
  }
};

places set_of(const drawn_edges& edges, std::uint64_t count) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint64_t e = 0; e < count; ++e) {
    const auto [from, to] = edges(e);
    if (from == to) continue;
    all.emplace(from, to);
    all.emplace(to, from);
  }
  return {all.begin(), all.end()};
}

void expect_set(const drawn_edges& edges, std::uint64_t count) {
  const places expected = set_of(edges, count);
  for (const int threads : {1, 2, 5}) {
    detail::job work;
    work.threads = threads;
    const coordinates graph = detail::symmetric_graph(edges.scale, count, edges, work);
    EXPECT_EQ(graph.rows, index_t{1} << edges.scale);
    EXPECT_EQ(graph.columns, graph.rows);
    ASSERT_EQ(places_of(graph), expected)
        << "scale " << edges.scale << ", " << count << " edges, " << threads << " threads";
  }
}

TEST(SymmetricGraph, IsTheSetOfItsEdgesAtEveryBoundary) {
  constexpr std::uint64_t any = ~std::uint64_t{0};
  for (const int scale : {0, 1, 2, 4, 11, 12, 17, 20})
    for (const std::uint64_t count :
         {0U, 1U, 2U, 15U, 16U, 17U, 255U, 256U, 257U, 16383U, 16384U, 16385U})
      expect_set({scale, any, 1 << 20}, count);
  for (const std::uint64_t count : {32768U, 65535U, 131072U}) expect_set({13, any, 50}, count);
  for (const std::uint64_t around : {1U, 2U})  // slices of 2^18 edges
    for (const std::uint64_t count : {around * 262144 - 1, around * 262144, around * 262144 + 1})
      expect_set({14, 30'000, 9}, count);
}

TEST(SymmetricGraph, OfManyVerticesIsSortedByWideKeys) {
  for (const int scale : {21, 24, 31}) expect_set({scale, std::uint64_t{1} << 40, 1000}, 70'000);
}

TEST(SymmetricGraph, MarksPlacesWhereThereAreFewerThanDirections) {
  // 2^10 places: as many directions as places, one less and one more.
  for (const std::uint64_t count : {511U, 512U, 513U, 100'000U})
    expect_set({5, ~std::uint64_t{0}, 3}, count);
}

TEST(SymmetricGraph, GivesMemoryBackThatRepetitionsHadTaken) {
  const drawn_edges edges{16, 1000, 1 << 20};
  const coordinates graph = detail::symmetric_graph(16, 500'000, edges, {});
  EXPECT_LE(graph.row.size(), 2000U);
  EXPECT_LE(graph.row.capacity(), 4000U);
  EXPECT_LE(graph.column.capacity(), 4000U);
}

}  // namespace
}  // namespace tropic::io::samples
